"""The table on the terminal and docs/performance.md, and the verdict."""

from dataclasses import dataclass


@dataclass
class Figure:
    """One measured figure against its bar."""

    what: str
    value: float
    bar: float
    unit: str
    #: A ratio fails at its bar; an absolute figure, on a machine that others use too, fails at twice its bar.
    is_ratio: bool = False

    @property
    def reached(self):
        return self.value <= self.bar

    @property
    def failed(self):
        return self.value > self.bar * (1 if self.is_ratio else 2)

    def row(self):
        word = "reached" if self.reached else "FAILED" if self.failed else "missed"
        return [self.what, f"{self.value:.3g} {self.unit}", f"{self.bar:.3g} {self.unit}", word]


def markdown(headings, rows):
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def text(rows):
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def write(path, machine, calibration, figures, sections):
    parts = [
        "# Performance",
        "Written by `make bench`. The machine is shared and noisy: a ratio counts as it stands, an absolute figure fails "
        "only at twice its bar.",
        "## Machine",
        markdown(["what", "value"], list(machine.items()) + list(calibration.items())),
        "## Figures",
        markdown(["what", "measured", "bar", "verdict"], [figure.row() for figure in figures]),
    ]
    for title, note, headings, rows in sections:
        parts += [f"## {title}", note, markdown(headings, rows)]
    with open(path, "w") as file:
        file.write("\n\n".join(parts) + "\n")
