/** Saves the picture that a video element shows, in its full size. `format` is "png" or "jpeg". */
export async function saveSnapshot(video, name, format, now = new Date()) {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
  canvas.getContext("2d").drawImage(video, 0, 0);
  const blob = await canvas.convertToBlob({ type: `image/${format}`, quality: 0.92 });
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = fileName(name, format, now);
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** "Front door 2026-03-01 14.05.09.jpg": local time, and nothing that a file system refuses. */
export function fileName(name, format, now) {
  const two = (number) => String(number).padStart(2, "0");
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const time = `${two(now.getHours())}.${two(now.getMinutes())}.${two(now.getSeconds())}`;
  const clean = name.replace(/[\p{Cc}/\\:*?"<>|]/gu, " ").trim() || "Camera";
  return `${clean} ${day} ${time}.${format === "jpeg" ? "jpg" : format}`;
}
