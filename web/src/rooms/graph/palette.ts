/**
 * Colours of the heat-map: pale is near, dark is far, in even steps of lightness (in OKLab, so even to the eye).
 *
 * Both ends keep away from white and from black, so that the map stands out on a light page and on a dark one; lightness alone
 * carries the order, so it reads with every kind of colour blindness and in grey.
 */

/** How many colours there are. */
export const COLOURS = 256;

// of the nearest and of the farthest colour: lightness, chroma, hue in degrees (OKLCH)
const NEAR = { lightness: 0.94, hue: 108 };
const FAR = { lightness: 0.25, hue: 292 };

type Lab = [number, number, number];

/** The colours in order, nearest first, as red, green, blue bytes `(COLOURS * 3)`. */
export function palette(): Uint8ClampedArray {
  const bytes = new Uint8ClampedArray(COLOURS * 3);
  for (let n = 0; n < COLOURS; n += 1) bytes.set(srgb(colour(n / (COLOURS - 1))), 3 * n);
  return bytes;
}

/** The palette as stops of a gradient, from near (0) to far (1). */
export function gradientStops(count: number): [number, string][] {
  return Array.from({ length: count }, (_, n) => {
    const part = n / (count - 1);
    return [part, `rgb(${srgb(colour(part)).join(" ")})`];
  });
}

/** The colour at a part of the way from near (0) to far (1), in OKLab. */
export function colour(part: number): Lab {
  const lightness = NEAR.lightness + (FAR.lightness - NEAR.lightness) * part;
  const hue = ((NEAR.hue + (FAR.hue - NEAR.hue) * part) * Math.PI) / 180;
  // the ends are paler than the middle, as far as a screen can show the hue at that lightness
  const chroma = 0.1 + 0.035 * Math.sin(Math.PI * part);
  return inGamut([lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]);
}

/** The same lightness and hue with as much of the chroma as a screen can show. */
function inGamut(lab: Lab): Lab {
  let part = 1;
  const less = (): Lab => [lab[0], lab[1] * part, lab[2] * part];
  while (part > 0 && linear(less()).some((channel) => channel < -1e-4 || channel > 1 + 1e-4)) part -= 0.02;
  return less();
}

/** Linear light of a colour in OKLab (Ottosson 2020). */
function linear([lightness, a, b]: Lab): Lab {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function srgb(lab: Lab): number[] {
  return linear(lab).map((channel) => {
    const light = Math.min(1, Math.max(0, channel));
    return Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));
  });
}
