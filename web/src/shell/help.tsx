/** The list of shortcuts, under `?`. */
import type { JSX } from "preact";
import type { Room } from "../rooms/registry";
import { Dialog } from "../ui";
import { keyCaps } from "./keys";
import { groups } from "./shortcuts";
import { help } from "./state";

const MOUSE: [string, string][] = [
  ["Left button", "Turn the camera, or draw where a tool is chosen"],
  ["Right button, two fingers", "Move the camera; turn it while a tool is chosen"],
  ["Wheel, pinch", "Nearer and farther"],
  ["Drag a handle", "Move it over the floor; with Shift up and down"],
];

export function Help({ room }: { room: Room | undefined }): JSX.Element {
  const lists = [...(room?.shortcuts?.length ? [{ title: room.name, shortcuts: room.shortcuts }] : []), ...groups()];
  return (
    <Dialog title="Shortcuts" wide onClose={() => (help.value = false)}>
      <div class="help">
        {lists.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.shortcuts.filter(({ shown }) => shown !== "").map((shortcut) => (
                <div key={shortcut.key}>
                  <dt>{shortcut.help}</dt>
                  <dd>
                    {keyCaps(shortcut.shown ?? shortcut.key).map((cap) => (
                      <kbd key={cap}>{cap}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>Mouse, pen and touch</h3>
          <dl>
            {MOUSE.map(([what, does]) => (
              <div key={what} class="mouse">
                <dt>{what}</dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
