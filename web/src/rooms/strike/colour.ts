/** Colours of the page as numbers, for pictures that are made pixel by pixel. */

/** Red, green and blue, 0 to 255, of a token such as `accent`, as the browser itself reads it. */
export function rgb(token: string): number[] {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!context) return [0, 128, 128];
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim();
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}
