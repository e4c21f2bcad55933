import "./elements/oriel-console.js";
