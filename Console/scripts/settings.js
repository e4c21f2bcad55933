/** What a person chose in this browser. Nothing secret goes here. */
export const settings = {
  get snapshotFormat() { return read("snapshotFormat") === "png" ? "png" : "jpeg"; },
  set snapshotFormat(format) { write("snapshotFormat", format); },

  get volume() {
    const volume = Number(read("volume") ?? 0.8);
    return volume >= 0 && volume <= 1 ? volume : 0.8;
  },
  set volume(volume) { write("volume", String(volume)); },
};

function read(name) {
  try {
    return localStorage.getItem(`oriel.${name}`);
  } catch {
    return null;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(`oriel.${name}`, value);
  } catch {
    // A browser that keeps nothing only forgets the choice.
  }
}
