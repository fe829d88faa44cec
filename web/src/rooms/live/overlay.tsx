/** Over the stage: how the person is reached, and a stick for fingers. */
import { useRef } from "preact/hooks";
import { Progress } from "../../ui";
import { tellWish } from "./session";
import { contact, graph, person, recording, running, stage, steered, touch } from "./state";

const STAGES: Record<string, string> = {
  read: "Reading the graph",
  ways: "Finding ways out of every moment",
  values: "Working out what is best to do",
};

export function Overlay() {
  if (!graph.value) return null;
  const now = stage.value;
  const says = now ? (STAGES[now.name] ?? now.name) : "Connecting";
  return (
    <div class="live-overlay">
      {contact.value === "lost" && <p class="live-says warn" role="status">The connection was lost. Trying again…</p>}
      {contact.value === "preparing" && (
        <div class="live-says" role="status">
          <p>{says}…</p>
          <Progress label={says} value={now?.share ?? null} />
        </div>
      )}
      {recording.value !== null && <p class="live-says recording" role="status">Recording</p>}
      {person.value && contact.value === "open" && !steered.value && <Hint />}
      {person.value && <TouchStick />}
    </div>
  );
}

/** How to begin, for who has never been here: gone with the first step. */
function Hint() {
  return (
    <p class="live-hint">
      <span><kbd>W</kbd><kbd>A</kbd><kbd>S</kbd><kbd>D</kbd> or arrows: go</span>
      <span><kbd>Shift</kbd> run</span>
      <span>Click the floor: go there</span>
    </p>
  );
}

/** A stick for a thumb, and a button to run; shown where there are fingers. */
function TouchStick() {
  const pad = useRef<HTMLDivElement>(null);
  const push = touch.value;
  const move = (event: PointerEvent): void => {
    const { left, top, width, height } = pad.current!.getBoundingClientRect();
    let right = (event.clientX - left - width / 2) / (width / 2);
    let ahead = -(event.clientY - top - height / 2) / (height / 2);
    const far = Math.hypot(right, ahead);
    if (far > 1) [right, ahead] = [right / far, ahead / far];
    touch.value = { right, ahead };
    tellWish(event.timeStamp);
  };
  const end = (event: PointerEvent): void => {
    touch.value = null;
    tellWish(event.timeStamp);
  };
  const run = (on: boolean) => (event: PointerEvent) => {
    running.value = on;
    tellWish(event.timeStamp);
  };
  return (
    <div class="live-touch">
      <div
        class="live-stick"
        ref={pad}
        role="application"
        aria-label="Stick"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          move(event);
        }}
        onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && move(event)}
        onPointerUp={end}
        onPointerCancel={end}
      >
        <i style={{ transform: `translate(${(push?.right ?? 0) * 36}px, ${-(push?.ahead ?? 0) * 36}px)` }} />
      </div>
      <button type="button" class="live-run" aria-pressed={running.value} onPointerDown={run(true)} onPointerUp={run(false)} onPointerCancel={run(false)}>
        Run
      </button>
    </div>
  );
}
