/** The ground to walk on, as sliders set it and as the server is told: `hill:1,6`. */

export type GroundKind = "flat" | "slope" | "hill" | "waves";

/** One number of a ground, as a slider. */
export interface GroundNumber {
  readonly key: "grade" | "towards" | "height" | "radius" | "length";
  readonly label: string;
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** The ground that is set; every kind keeps its numbers while another is shown. */
export interface GroundSetting {
  readonly kind: GroundKind;
  readonly slope: { readonly grade: number; readonly towards: number };
  readonly hill: { readonly height: number; readonly radius: number };
  readonly waves: { readonly height: number; readonly length: number };
}

export const FLAT: GroundSetting = {
  kind: "flat",
  slope: { grade: 10, towards: 0 },
  hill: { height: 0.8, radius: 5 },
  waves: { height: 0.4, length: 5 },
};

export const KINDS: readonly { value: GroundKind; label: string }[] = [
  { value: "flat", label: "Flat" },
  { value: "slope", label: "Slope" },
  { value: "hill", label: "Hill" },
  { value: "waves", label: "Waves" },
];

/** The sliders of each kind. */
export const NUMBERS: Readonly<Record<GroundKind, readonly GroundNumber[]>> = {
  flat: [],
  slope: [
    { key: "grade", label: "Grade", unit: "%", min: -30, max: 30, step: 1 },
    { key: "towards", label: "Rises towards", unit: "°", min: -180, max: 180, step: 5 },
  ],
  hill: [
    { key: "height", label: "Height", unit: "m", min: -1.5, max: 1.5, step: 0.05 },
    { key: "radius", label: "Radius", unit: "m", min: 2, max: 12, step: 0.25 },
  ],
  waves: [
    { key: "height", label: "Height", unit: "m", min: 0.05, max: 1, step: 0.05 },
    { key: "length", label: "Length", unit: "m", min: 2, max: 12, step: 0.25 },
  ],
};

/** The value of one number of the kind that is set. */
export function numberOf(setting: GroundSetting, key: GroundNumber["key"]): number {
  return setting.kind === "flat" ? 0 : ((setting[setting.kind] as Record<string, number>)[key] ?? 0);
}

/** With one number of the kind that is set changed. */
export function withNumber(setting: GroundSetting, key: GroundNumber["key"], value: number): GroundSetting {
  return setting.kind === "flat" ? setting : { ...setting, [setting.kind]: { ...setting[setting.kind], [key]: value } };
}

/** What the server is told: null where the ground is flat. */
export function groundText(setting: GroundSetting): string | null {
  switch (setting.kind) {
    case "flat":
      return null;
    case "slope":
      if (setting.slope.grade === 0) return null;
      return `slope:${tidy(setting.slope.grade)}%${setting.slope.towards ? `,${tidy(setting.slope.towards)}` : ""}`;
    case "hill":
      return setting.hill.height === 0 ? null : `hill:${tidy(setting.hill.height)},${tidy(setting.hill.radius)}`;
    case "waves":
      return `waves:${tidy(setting.waves.height)},${tidy(setting.waves.length)}`;
  }
}

/** A number without the noise of a slider's steps. */
function tidy(value: number): string {
  return String(Number(value.toFixed(3)));
}
