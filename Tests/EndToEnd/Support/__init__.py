"""What the end-to-end tests share: real programs on free ports in folders of their own."""
