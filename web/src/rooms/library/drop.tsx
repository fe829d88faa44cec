/** Files may be dropped anywhere on the page. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { taken } from "../../state/drops";
import { mayBeCharacter, takeCharacter } from "../../state/hero";
import { server } from "../../state/store";
import { Icon } from "../../ui";
import { upload } from "./model";

/** The veil that is shown while files are dragged over the page. */
export function DropZone(): JSX.Element | null {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const files = (event: DragEvent): boolean => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const enter = (event: DragEvent): void => {
      if (!files(event)) return;
      event.preventDefault();
      depth++;
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (!files(event)) return;
      depth = Math.max(depth - 1, 0);
      if (depth === 0) setOver(false);
    };
    const hover = (event: DragEvent): void => {
      if (files(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (!files(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      const dropped = [...(event.dataTransfer?.files ?? [])];
      if (taken(dropped)) return;
      const [first] = dropped;
      if (first && dropped.length === 1 && mayBeCharacter(first) && (isVrm(first) || isOnStage(event))) {
        void takeCharacter(first, isVrm(first) ? undefined : () => void upload(dropped));
      } else void upload(dropped);
    };
    const pairs = { dragenter: enter, dragleave: leave, dragover: hover, drop } as const;
    for (const [name, hear] of Object.entries(pairs)) addEventListener(name as "drop", hear);
    return () => {
      for (const [name, hear] of Object.entries(pairs)) removeEventListener(name as "drop", hear);
    };
  }, []);
  if (!over) return null;
  const read = server.value?.formats.read ?? [];
  return (
    <div class="drop-veil">
      <div>
        <Icon name="upload" size={36} />
        <h2>Drop clips into the library</h2>
        <p>A character (GLB, glTF, VRM) on the stage becomes the body of every room</p>
        <p>{read.map((suffix) => suffix.slice(1).toUpperCase()).join(", ")}; ASF together with its AMC</p>
      </div>
    </div>
  );
}

const isVrm = (file: File): boolean => file.name.toLowerCase().endsWith(".vrm");

/** Whether something is dropped on the stage; the veil lies over it. */
function isOnStage({ clientX: x, clientY: y }: DragEvent): boolean {
  const box = document.querySelector(".stage")?.getBoundingClientRect();
  return box !== undefined && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}
