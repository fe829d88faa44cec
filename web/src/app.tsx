/** The page: rail, top bar, stage with the room's view, panel, timeline. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { rooms, type Room } from "./rooms/registry";
import { lost } from "./shell/address";
import { Help } from "./shell/help";
import { listen } from "./shell/keys";
import { Lost } from "./shell/lost";
import { groups } from "./shell/shortcuts";
import { StageHost } from "./shell/stage-host";
import { help, type Sheet, sheets, splits } from "./shell/state";
import { Toasts } from "./shell/toasts";
import { TopBar } from "./shell/topbar";
import * as playback from "./state/playback";
import { stage } from "./state/stage";
import { room as roomId, server } from "./state/store";
import { setLanes } from "./timeline/lanes";
import { Timeline } from "./timeline/timeline";
import { classes, Icon } from "./ui";

/** The room that is shown: the first where the kept one is none of them. */
export function currentRoom(): Room {
  return rooms.find((room) => room.id === roomId.value) ?? rooms[0]!;
}

export function App(): JSX.Element {
  const room = currentRoom();
  useRoom(room);
  useEffect(() => listen(() => [currentRoom().shortcuts ?? [], groups().flatMap((group) => group.shortcuts)]), []);
  if (lost.value !== null) return <Lost />;
  return (
    <div class="page" data-sheet={sheetOf(room)}>
      <Skip to="stage" text="Skip to the stage" />
      <Skip to="panel" text={`Skip to the settings of ${room.name}`} />
      <TopBar />
      <Rail room={room} />
      <main class="centre">
        <h2 class="unseen">{room.name}</h2>
        <div class="above" id="stage" tabIndex={-1}>
          <Middle room={room} />
          <Toasts />
        </div>
        <Timeline />
      </main>
      <aside class="panel" id="panel" tabIndex={-1} aria-label={`${room.name}: settings`}>
        <SheetHandle room={room} />
        <room.Panel key={room.id} />
      </aside>
      {help.value && <Help room={room} />}
      {rooms.map((one) => one.Everywhere && <one.Everywhere key={one.id} />)}
    </div>
  );
}

/** A way past what comes before, for those who go by Tab; seen while it has the focus. */
function Skip({ to, text }: { to: string; text: string }): JSX.Element {
  return (
    <a
      class="skip"
      href={`#${to}`}
      onClick={(event) => {
        // the address is that of the room: it stays as it is
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
    >
      {text}
    </a>
  );
}

/** Beside a flat view there is no place for a panel on a small screen until it is wanted. */
function sheetOf(room: Room): Sheet {
  return sheets.value[room.id] ?? room.sheet ?? (room.View ? "down" : "half");
}

/** On small screens the panel is a sheet over the lower part of the page: this lets it down, or draws it up. */
function SheetHandle({ room }: { room: Room }): JSX.Element {
  const now = sheetOf(room);
  const set = (next: Sheet): void => void (sheets.value = { ...sheets.value, [room.id]: next });
  return (
    <div class="sheet-handle">
      <button type="button" aria-expanded={now !== "down"} onClick={() => set(now === "down" ? "half" : "down")}>
        {now === "down" ? `Show ${room.name}’s settings` : "Hide settings"}
      </button>
      {now !== "down" && (
        <button type="button" aria-pressed={now === "up"} onClick={() => set(now === "up" ? "half" : "up")}>
          {now === "up" ? "Smaller" : "Larger"}
        </button>
      )}
    </div>
  );
}

/** Enter the room once the stage and the server's state are there; leave it before the next is entered. */
function useRoom(room: Room): void {
  const here = stage.value;
  const ready = server.value !== null;
  useEffect(() => {
    if (!here || !ready) return;
    room.enter(here);
    // tests and screenshots wait for this: the state is here and has been drawn once
    requestAnimationFrame(() => requestAnimationFrame(() => (document.documentElement.dataset["ready"] = "true")));
    return () => {
      here.tool(null);
      room.leave(here);
      // what plays here, and for how long, is nobody else's
      playback.pause();
      playback.setLength(0, playback.fps.value);
      setLanes([]);
    };
  }, [room, here, ready]);
}

function Rail({ room }: { room: Room }): JSX.Element {
  return (
    <nav class="rail" aria-label="Rooms">
      {rooms.map((one) => (
        <button
          key={one.id}
          type="button"
          class={classes(one === room && "on")}
          aria-current={one === room ? "page" : undefined}
          aria-keyshortcuts={one.key}
          onClick={() => (roomId.value = one.id)}
        >
          <Icon name={one.icon} size={20} />
          <span>{one.name}</span>
        </button>
      ))}
    </nav>
  );
}

/** The stage, and beside it the room's flat view with a divider that can be dragged. */
function Middle({ room }: { room: Room }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const split = splits.value[room.id] ?? room.split ?? 0.5;
  const share = Math.round(split * 1000) / 10;
  return (
    <div class={classes("middle", room.View && "split")} ref={box} style={room.View ? { gridTemplateColumns: `${share}% 6px minmax(0, 1fr)` } : undefined}>
      {room.View && (
        <>
          <div class="flat">
            <room.View key={room.id} />
          </div>
          <Divider box={box} split={split} onChange={(value) => (splits.value = { ...splits.value, [room.id]: value })} onReset={() => (splits.value = { ...splits.value, [room.id]: room.split ?? 0.5 })} />
        </>
      )}
      <div class="stage-area">
        <StageHost />
        {room.Overlay && (
          <div class="stage-overlay">
            <room.Overlay key={room.id} />
          </div>
        )}
      </div>
    </div>
  );
}

interface DividerProps {
  box: { current: HTMLDivElement | null };
  split: number;
  onChange: (share: number) => void;
  onReset: () => void;
}

function Divider({ box, split, onChange, onReset }: DividerProps): JSX.Element {
  const set = (share: number): void => onChange(Math.min(Math.max(share, 0.2), 0.8));
  return (
    <div
      class="divider"
      role="separator"
      tabIndex={0}
      aria-label="Width of the view"
      aria-orientation="vertical"
      aria-valuemin={20}
      aria-valuemax={80}
      aria-valuenow={Math.round(split * 100)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const { left, width } = box.current!.getBoundingClientRect();
        set((event.clientX - left) / width);
      }}
      onDblClick={onReset}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
        if (!by) return;
        set(split + by);
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
