/** Icons: strokes on a grid of 16, in the colour of the text. */
import type { JSX } from "preact";

const PATHS = {
  library: "M2.5 3.5h4.2v4.2H2.5zM9.3 3.5h4.2v4.2H9.3zM2.5 10.3h4.2v2.7H2.5zM9.3 10.3h4.2v2.7H9.3z",
  graph: "M4 4.5h0M4 11.5h0M12 8h0M5.6 5.2 10.4 7.4M5.6 10.8 10.4 8.6M4 6.1v3.8",
  follow: "M2.5 12.5c5 0 3-7 6-7s2 5 5 3M12 6.5l1.7 1.8-2 1.5",
  repath: "M2.5 12C4 5 7 4 8 8s4 3 5.5-4M2.5 12h0M8 8h0M13.5 4h0",
  strike: "M8 2v2.5M8 11.5V14M2 8h2.5M11.5 8H14M8 8h0M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
  live: "M8 2.2v2.6M6.8 3.2 8 2l1.2 1.2M8 13.8v-2.6M6.8 12.8 8 14l1.2-1.2M2.2 8h2.6M3.2 6.8 2 8l1.2 1.2M13.8 8h-2.6M12.8 6.8 14 8l-1.2 1.2M8 6.6a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8z",
  crowd: "M8 3.4a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM5.2 12.8V10.4c0-3.2 5.6-3.2 5.6 0v2.4M3.4 4.6a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zM1.4 11.8v-1.6c0-1.2.8-1.8 1.9-1.9M12.6 4.6a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zM14.6 11.8v-1.6c0-1.2-.8-1.8-1.9-1.9",
  direct: "M2 4.3h1.6M6.8 4.3H14M2 8h6.8M12 8h2M2 11.7h3.2M8.4 11.7H14M5.2 2.7l1.6 1.6-1.6 1.6-1.6-1.6zM10.4 6.4 12 8l-1.6 1.6L8.8 8zM6.8 10.1l1.6 1.6-1.6 1.6-1.6-1.6z",
  disc: "M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zM5 11 11 5",
  box: "M3 3h10v10H3zM4.5 11.5l7-7",
  wall: "M2 3.5h12v9H2zM2 6.5h12M2 9.5h12M6 3.5v3M10 6.5v3M6 9.5v3",
  door: "M2 8h3.5M10.5 8H14M5.5 8V3.5l4 1.5v4.5",
  "box-from": "M3 3h10v10H3zM8 8h0M6 8.5l2 2 2-2",
  "box-to": "M3 3h10v10H3zM5.5 8.2l2 2 3.2-4.2",
  record: "M8 4.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6z",
  export: "M8 10V2.5M5.2 5.2 8 2.4l2.8 2.8M3 9.5v3.8h10V9.5",
  play: "M5 3.2v9.6L12.6 8z",
  pause: "M5.2 3.5v9M10.8 3.5v9",
  "step-back": "M11 4 6.5 8l4.5 4zM4.5 4v8",
  "step-on": "M5 4l4.5 4L5 12zM11.5 4v8",
  "to-begin": "M12 4 8 8l4 4M7.5 4l-4 4 4 4M3 4v8",
  "to-end": "M4 4l4 4-4 4M8.5 4l4 4-4 4M13 4v8",
  loop: "M3.2 7.5a3.7 3.7 0 0 1 3.7-3.2h5.4M10.3 2.2l2.2 2.1-2.2 2.1M12.8 8.5a3.7 3.7 0 0 1-3.7 3.2H3.7M5.7 13.8l-2.2-2.1 2.2-2.1",
  swap: "M3 5.5h9.5M10 3l2.5 2.5L10 8M13 10.5H3.5M6 8l-2.5 2.5L6 13",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.5 6.5 12 13 4.5",
  search: "M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2 13.5 13.5",
  trash: "M3 4.5h10M6.2 4.3V2.8h3.6v1.5M4.3 4.6l.6 8.6h6.2l.6-8.6M6.8 7v4M9.2 7v4",
  edit: "M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9.2 4.6l2.2 2.2",
  undo: "M5.6 3.2 2.8 6l2.8 2.8M3 6h6.2a3.6 3.6 0 0 1 0 7.2H6",
  redo: "M10.4 3.2 13.2 6l-2.8 2.8M13 6H6.8a3.6 3.6 0 0 0 0 7.2H10",
  reverse: "M5 3 2.4 5.6 5 8.2M2.6 5.6h8.6M11 7.8l2.6 2.6L11 13M13.4 10.4H4.8",
  mirror: "M8 2v12M6 4.5 2.5 11.5H6zM10 4.5l3.5 7H10z",
  smooth: "M2 10c2.5-6 4 4 6 0s3.5-6 6-2",
  fit: "M2.8 6V2.8H6M10 2.8h3.2V6M13.2 10v3.2H10M6 13.2H2.8V10",
  camera: "M2.5 5h2.4l1-1.5h4.2l1 1.5h2.4v7.5h-11zM8 6.6a2.1 2.1 0 1 0 0 4.2 2.1 2.1 0 0 0 0-4.2z",
  eye: "M1.8 8S4 4 8 4s6.2 4 6.2 4-2.2 4-6.2 4S1.8 8 1.8 8zM8 6.4a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 0 0 0-3.2z",
  "eye-off": "M3 3l10 10M6.4 4.3A6 6 0 0 1 8 4c4 0 6.2 4 6.2 4a10 10 0 0 1-1.8 2.2M4.3 5.3A10 10 0 0 0 1.8 8S4 12 8 12c.9 0 1.7-.2 2.4-.5",
  sun: "M8 5.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM8 1.6v1.6M8 12.8v1.6M1.6 8h1.6M12.8 8h1.6M3.5 3.5l1.1 1.1M11.4 11.4l1.1 1.1M3.5 12.5l1.1-1.1M11.4 4.6l1.1-1.1",
  moon: "M13 9.6A5.4 5.4 0 0 1 6.4 3 5.4 5.4 0 1 0 13 9.6z",
  system: "M2.5 3.5h11v7.5h-11zM6 13.5h4",
  help: "M6 6.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.5M8 12h0M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z",
  person: "M8 1.9a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM5.3 6.3h5.4M8 6.3v4M8 10.3l-2 3.9M8 10.3l2 3.9",
  character: "M8 1.7a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM2.6 14.3c0-4 2.2-6.3 5.4-6.3s5.4 2.3 5.4 6.3M5.6 14.3v-2.6M10.4 14.3v-2.6",
  mannequin: "M8 1.6a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM5 6h6l-.7 4.2H9.8L9.4 14.4H6.6L6.2 10.2H5.7z",
  more: "M3.5 8h0M8 8h0M12.5 8h0",
  down: "M4 6.2 8 10.2l4-4",
  right: "M6.2 4l4 4-4 4",
  left: "M9.8 4l-4 4 4 4",
  copy: "M5.5 5.5h7.5V13H5.5zM10.5 5.3V3H3v7.5h2.3",
  download: "M8 2.5V10M5.2 7.4 8 10.2l2.8-2.8M3 10.5v2.8h10v-2.8",
  upload: "M8 10V2.6M5.2 5.3 8 2.5l2.8 2.8M3 10.5v2.8h10v-2.8",
  warning: "M8 2.3 14.3 13H1.7zM8 6.3v3.2M8 11.4h0",
  info: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 7.3v3.7M8 5h0",
  clock: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 4.5V8l2.3 1.5",
  pen: "M3 13c1.5-.2 2.3-1 2.3-1M4.3 10.2l6.9-7 1.7 1.7-7 6.9-2.4.7z",
  point: "M8 4.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4z",
  hand: "M5 8.5V4.3a1 1 0 0 1 2 0V7.5M7 7V3a1 1 0 0 1 2 0v4M9 7.2V4a1 1 0 0 1 2 0v4M11 7.5V6a1 1 0 0 1 2 0v3.5c0 2.5-1.5 4.3-4 4.3-2 0-3-.8-4-2.3L3 9c-.5-.9.6-1.7 1.3-1z",
  dice: "M3 3h10v10H3zM5.7 5.7h0M10.3 5.7h0M8 8h0M5.7 10.3h0M10.3 10.3h0",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.7 4h0M2.7 8h0M2.7 12h0",
  scissors: "M4 9.8a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM12 9.8a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4zM5 10.2 11.5 2.5M11 10.2 4.5 2.5",
  columns: "M2.5 3h4.7v10H2.5zM8.8 3h4.7v10H8.8z",
  matrix: "M2.5 2.5h11v11h-11zM2.5 6.2h11M2.5 9.8h11M6.2 2.5v11M9.8 2.5v11",
  arcs: "M2 12h12M3.5 12c0-8 9-8 9 0M6 12c0-4 5-4 5 0",
  target: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 8h0",
  "view-angle": "M8 2 13.5 5v6L8 14 2.5 11V5zM2.5 5 8 8l5.5-3M8 8v6",
  "view-front": "M3.5 3h9v10h-9zM6 7h0M10 7h0M6.5 10.2h3",
  "view-side": "M3 13V5.5L8 3v10zM8 3l5 2.5V13H3",
  "view-top": "M3 3h10v10H3zM8 6.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4z",
  "follow-camera": "M2.5 6V3.5H5M11 3.5h2.5V6M13.5 10v2.5H11M5 12.5H2.5V10M8 5.2a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4zM5.8 11c0-2.8 4.4-2.8 4.4 0",
  folder: "M2 4h4l1.3 1.5H14V13H2z",
  grid: "M2.5 5.5h11M2.5 10.5h11M5.5 2.5v11M10.5 2.5v11",
  top: "M8 2v3.5M6.3 4 8 5.7 9.7 4M3 8.5l5-1.8 5 1.8-5 1.8zM3 8.5v2.7l5 1.8 5-1.8V8.5",
  keep: "M4 2.5h8v11l-4-3-4 3z",
  share: "M5.2 7.1 10.8 4.4M5.2 8.9l5.6 2.7M12.3 2.2a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM3.7 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM12.3 10.8a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
  job: "M8 1.8a6.2 6.2 0 1 0 6.2 6.2",
  bolt: "M9 1.8 3.5 9H7.5L7 14.2 12.5 7H8.5z",
  tag: "M2.5 2.5h5l6 6-5 5-6-6zM5 5h0",
  settings: "M2.5 4.5h6M11.5 4.5h2M10 3v3M2.5 11.5h2M7.5 11.5h6M6 10v3",
} as const;

export type IconName = keyof typeof PATHS;

/** An icon by its name; an empty square of the same size where the name is unknown. */
export function Icon({ name, size = 16 }: { name: IconName | (string & {}); size?: number }): JSX.Element {
  const filled = name === "play" || name === "step-back" || name === "step-on" || name === "record";
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name as IconName] ?? ""}
        fill={filled ? "currentColor" : "none"}
        stroke="currentColor"
        stroke-width={DOTTED.has(name) ? 1.4 : 1.3}
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      {DOTTED.get(name) && <path d={DOTTED.get(name)} fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" />}
    </svg>
  );
}

// points of an icon that are fatter than its lines
const DOTTED = new Map<string, string>([
  ["graph", "M4 4.5h0M4 11.5h0M12 8h0"],
  ["repath", "M2.5 12h0M8 8h0M13.5 4h0"],
  ["more", "M3.5 8h0M8 8h0M12.5 8h0"],
  ["strike", "M8 8h0"],
  ["target", "M8 8h0"],
  ["dice", "M5.7 5.7h0M10.3 5.7h0M8 8h0M5.7 10.3h0M10.3 10.3h0"],
  ["box-from", "M8 8h0"],
  ["tag", "M5 5h0"],
]);
