/** Tools over the stage, and signs at the keys that say their number and what is missed. */

import { useEffect, useRef } from "preact/hooks";
import { narrow } from "../../shell/state";
import { stage } from "../../state/stage";
import type { LegendEntry } from "../../path/legend";
import { PathOverlay, type PathAct, type PathTool } from "../../path/overlay";
import { classes, sentenceCase } from "../../ui";
import { choose } from "./actions";
import { short } from "./blame";
import { back, chosen, drawing, graph, history, layers, missed, scene, tool, wrongOf, type Layers, type Tool } from "./state";

const TOOLS: readonly PathTool<Tool>[] = [
  { tool: "place", icon: "point", label: "Place", key: "P" },
  { tool: "disc", icon: "disc", label: "Disc as an obstacle", word: "Disc", key: "O" },
  { tool: "box", icon: "box", label: "Box as an obstacle", word: "Box", key: "B" },
  { tool: "look", icon: "hand", label: "Look round", word: "Look", key: "H" },
];

/** What each tool does, in a sentence. */
const HINTS: Record<Tool, string> = {
  place: "Click on the floor to add a place: beside the way to bend it, beyond it to go on.",
  disc: "Drag from the middle of an obstacle to its edge.",
  box: "Drag from one corner of an obstacle to the other.",
  look: "Drag turns the view.",
};

const LEGEND: readonly LegendEntry<keyof Layers>[] = [
  { layer: "way", label: "The way", token: "--c-walked", line: true },
  { layer: "feet", label: "Footprints", token: "--c-left" },
  { layer: "ghosts", label: "Who stands at the keys", token: "--c-path" },
];

export function Overlay() {
  if (!graph.value) return null;
  const acts: readonly PathAct[] = [
    { icon: "undo", label: "Undo", key: "Ctrl+Z", disabled: !history.canUndo.value, run: () => back("undo") },
    { icon: "redo", label: "Redo", key: "Ctrl+Shift+Z", disabled: !history.canRedo.value, run: () => back("redo") },
  ];
  return (
    <>
      <PathOverlay
        tools={TOOLS}
        tool={tool.value}
        onTool={(name) => (tool.value = name)}
        of="Scene"
        acts={acts}
        legend={LEGEND}
        shown={layers.value}
        onLayer={(layer) => (layers.value = { ...layers.value, [layer]: !layers.value[layer] })}
        // on a phone it would lie over what it speaks of
        says={!narrow.value && (drawing.value || tool.value !== "look") && HINTS[tool.value]}
      />
      <Signs />
    </>
  );
}

/** Pixels below the key's place: who stands there stays in sight. */
const DROP = 14;

/** Signs that follow the camera: they are placed anew when a picture has been drawn. */
function Signs() {
  const box = useRef<HTMLDivElement>(null);
  const keys = scene.value.key;
  useEffect(() => {
    let seen = -1;
    let request = 0;
    const lay = (): void => {
      request = requestAnimationFrame(lay);
      const here = stage.value;
      if (!here || here.pictures === seen || !box.current) return;
      seen = here.pictures;
      const { left, top, width, height } = here.canvas.getBoundingClientRect();
      for (const sign of box.current.querySelectorAll<HTMLElement>(".direct-sign")) {
        const [x, z] = [Number(sign.dataset["x"]), Number(sign.dataset["z"])];
        const spot = here.screen([x, 0, z]);
        const inside = spot && spot.x > left && spot.x < left + width && spot.y > top && spot.y < top + height;
        sign.hidden = !inside;
        if (inside) sign.style.transform = `translate(${Math.round(spot.x - left)}px, ${Math.round(spot.y - top + DROP)}px) translateX(-50%)`;
      }
    };
    lay();
    return () => cancelAnimationFrame(request);
  }, [keys]);
  return (
    <div class="direct-signs" ref={box}>
      {keys.map((key, index) => {
        const miss = missed.value.get(key.id);
        const why = wrongOf("key", key.id);
        const bad = why !== null || miss?.met === false;
        const isChosen = chosen.value?.kind === "key" && chosen.value.id === key.id;
        return (
          <div key={key.id} class={classes("direct-sign", bad && "bad", isChosen && "chosen", !key.hard && "soft")} data-x={key.at[0]} data-z={key.at[1]} hidden onPointerDown={() => choose("key", key.id)}>
            <b>{index + 1}</b>
            {(bad || isChosen) && miss && !why && <span>{short(miss)}</span>}
            {why && isChosen && <p>{sentenceCase(why)}</p>}
          </div>
        );
      })}
    </div>
  );
}
