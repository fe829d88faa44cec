/** The clips, with their pictures. */
import { computed, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Clip } from "../../api/types";
import { clip, clips, goTo, jobs, select, server } from "../../state/store";
import { Button, classes, Empty, Icon, IconButton, labelColour, Name, Progress, Select, TextField, Toolbar } from "../../ui";
import { between, folderOf, ORDERS, type Order } from "./filter";
import { addSamples, chooseFiles, chosenFolder, chosenLabels, folders, labels, layout, order, pickedIds, search, second, secondId, shown, twins, uploading } from "./model";
import { playWhenShown } from "./scene";
import { scrollTo, type Sight, windowed } from "./windowed";

/** Left of the stage: search, folders, labels, and the clips; or how to begin. */
export function Shelf(): JSX.Element {
  if (!server.value) return <div class="shelf" aria-busy="true" />;
  if (!clips.value.length) return <Welcome />;
  return (
    <div class="shelf">
      <div class="shelf-head">
        <TextField label="Search clips" hideLabel live type="search" placeholder={`Search ${clips.value.length} clips`} value={search.value} onChange={(text) => (search.value = text)} />
        <IconButton
          icon={layout.value === "list" ? "library" : "list"}
          label={layout.value === "list" ? "Show as cards" : "Show as a list"}
          onClick={() => (layout.value = layout.value === "list" ? "cards" : "list")}
        />
        <IconButton icon="plus" label="Add files" kind="primary" onClick={chooseFiles} />
      </div>
      <div class="shelf-head sorts">
        <Folders />
        <Select label="Order" hideLabel value={order.value} options={ORDERS} onChange={(value) => (order.value = value as Order)} />
      </div>
      <Chips />
      {uploading.value > 0 && <Progress value={null} label="Files are read" />}
      <Cards />
      <Next />
    </div>
  );
}

/** The step after clips, for those who have not made it yet. */
function Next(): JSX.Element | null {
  if (server.value?.graphs.length) return null;
  return (
    <div class="shelf-next">
      <p>Next: draw a line on the floor, and somebody made of these clips walks it.</p>
      <Button kind="primary" icon="follow" wide onClick={() => goTo("follow")}>
        Draw a path
      </Button>
    </div>
  );
}

const ALL = "*";

/** Which folder is shown; where there is only one, there is nothing to choose. */
function Folders(): JSX.Element | null {
  const all = folders.value;
  if (all.length < 2) return null;
  const options = all.map(([folder, count]) => ({ value: `/${folder}`, label: `${folder || server.value?.workspace.name || "this folder"} (${count})` }));
  return (
    <Select
      label="Folder"
      hideLabel
      value={chosenFolder.value === null ? ALL : `/${chosenFolder.value}`}
      options={[{ value: ALL, label: "All folders" }, ...options]}
      onChange={(value) => (chosenFolder.value = value === ALL ? null : value.slice(1))}
    />
  );
}

const MOST_CHIPS = 8;

function Chips(): JSX.Element | null {
  const whole = useSignal(false);
  const all = labels.value;
  if (!all.length) return null;
  const chosen = chosenLabels.value;
  const most = whole.value ? all.length : Math.max(MOST_CHIPS, chosen.length);
  const ordered = [...all.filter(([label]) => chosen.includes(label)), ...all.filter(([label]) => !chosen.includes(label))];
  const toggle = (label: string): void =>
    void (chosenLabels.value = chosen.includes(label) ? chosen.filter((other) => other !== label) : [...chosen, label]);
  return (
    <Toolbar class="chips" label="Show clips with these labels">
      {ordered.slice(0, most).map(([label, count]) => (
        <button key={label} type="button" class={classes("chip", chosen.includes(label) && "on")} aria-pressed={chosen.includes(label)} onClick={() => toggle(label)}>
          <i class="dot" style={{ background: `var(${labelColour(label)})` }} />
          {label} <small>{count}</small>
        </button>
      ))}
      {all.length > MOST_CHIPS + 1 && (
        <button key="*" type="button" class="chip" aria-expanded={whole.value} onClick={() => (whole.value = !whole.value)}>
          {whole.value ? "Fewer" : `${all.length - most} more`}
        </button>
      )}
    </Toolbar>
  );
}

function Cards(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const sight = useSignal<Sight>({ across: 1, tall: 0, top: 0, high: 0 });
  const made = useComputed(() => windowed(shown.value.length, sight.value)).value;
  const list = shown.value;
  const listed = list.slice(made.start, made.end);
  // where the chosen clip is not among them, the keyboard comes in by the first
  const entered = listed.some((one) => one.id === clip.value?.id);
  const look = (): void => {
    const here = box.current;
    const grid = here?.querySelector(".cards-grid");
    if (!here || !grid?.firstElementChild) return;
    const style = getComputedStyle(grid);
    const cards = [...here.querySelectorAll<HTMLElement>(".card")].slice(0, 20);
    const tall = Math.max(...cards.map((card) => card.offsetHeight)) + (parseFloat(style.rowGap) || 0);
    const across = style.gridTemplateColumns.split(" ").length;
    const now = { across, tall, top: here.scrollTop, high: here.clientHeight };
    const known = sight.value;
    if (now.across !== known.across || now.tall !== known.tall || now.top !== known.top || now.high !== known.high) sight.value = now;
  };
  const some = list.length > 0;
  useEffect(() => {
    look();
    if (!box.current) return;
    const watching = new ResizeObserver(look);
    watching.observe(box.current);
    return () => watching.disconnect();
  }, [layout.value, some]);
  // a link, or Back, may lead to one that is out of sight
  const chosen = clip.value?.id;
  useEffect(() => {
    const to = scrollTo(
      list.findIndex((one) => one.id === chosen),
      sight.value,
    );
    if (to !== null) box.current?.scrollTo({ top: to });
  }, [chosen, sight.value.tall]);
  if (!list.length)
    return (
      <Empty title="No clip fits" text="Nothing has all of these words and labels." icon="search">
        <Button
          onClick={() => {
            search.value = "";
            chosenLabels.value = [];
            chosenFolder.value = null;
          }}
        >
          Show all clips
        </Button>
      </Empty>
    );
  const keys = (event: KeyboardEvent): void => {
    const cards = [...(box.current?.querySelectorAll<HTMLElement>(".card-main") ?? [])];
    const focused = cards.indexOf(document.activeElement as HTMLElement);
    if (focused < 0) return;
    const at = made.start + focused;
    if (event.key === "Escape" && pickedIds.value.size) pickedIds.value = new Set();
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) pickedIds.value = new Set(list.map((one) => one.id));
    else {
      const across = sight.value.across;
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + across, ArrowUp: at - across, Home: 0, End: list.length - 1 }[event.key];
      if (to === undefined) return;
      const next = Math.min(Math.max(to, 0), list.length - 1);
      const there = cards[next - made.start];
      choose(list[next]!, event);
      if (there) there.focus();
      else {
        // it is made once it is in sight
        box.current?.scrollTo({ top: scrollTo(next, sight.value) ?? 0 });
        const wait = (left: number): void => {
          const card = box.current?.querySelector<HTMLElement>(`[aria-posinset="${next + 1}"]`);
          if (card) card.focus();
          else if (left) requestAnimationFrame(() => wait(left - 1));
        };
        wait(10);
      }
    }
    event.preventDefault();
    event.stopPropagation();
  };
  // rows of one height, so that those that are not made take as much room
  const gap = layout.value === "list" ? 2 : 8;
  const rows = sight.value.tall ? { gridAutoRows: `${sight.value.tall - gap}px` } : {};
  const room = (pixels: number): JSX.Element | null =>
    pixels > 0 ? <div class="cards-room" aria-hidden="true" style={{ height: `${pixels - gap}px` }} /> : null;
  return (
    <div class={classes("cards", layout.value)} ref={box} role="listbox" aria-multiselectable="true" aria-label="Clips" onKeyDown={keys} onScroll={look}>
      {room(made.before)}
      <div class={classes("cards-grid", layout.value === "list" && "list")} style={rows}>
        {listed.map((one, index) => (
          <Card key={one.id} one={one} entry={index === 0 && !entered} place={made.start + index + 1} of={list.length} />
        ))}
      </div>
      {room(made.after)}
    </div>
  );
}

/** Show a clip; with Ctrl (⌘) pick it besides, with Shift all from the shown one to it. */
function choose(one: Clip, held: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }): void {
  if (held.shiftKey && clip.value) pickedIds.value = new Set(between(shown.value, clip.value.id, one.id));
  else if ((held.ctrlKey || held.metaKey) && clip.value) {
    const ids = new Set(pickedIds.value).add(clip.value.id);
    if (!ids.delete(one.id)) ids.add(one.id);
    else if (one.id === clip.value.id) {
      const [next] = ids;
      if (next) select({ clip: next });
    }
    pickedIds.value = ids.size > 1 ? ids : new Set();
  } else {
    pickedIds.value = new Set();
    playWhenShown();
    select({ clip: one.id });
  }
}

const none = computed(() => clip.value === null);

function Card({ one, entry, place, of }: { one: Clip; entry: boolean; place: number; of: number }): JSX.Element {
  // computed for each: of hundreds of cards, only those are drawn anew for which something has changed
  const chosen = useComputed(() => clip.value?.id === one.id).value;
  const among = useComputed(() => pickedIds.value.has(one.id)).value;
  const beside = useComputed(() => second.value?.id === one.id).value;
  const twin = useComputed(() => twins.value.has(one.name)).value;
  return (
    <div class={classes("card", chosen && "on", among && "among", beside && "beside")} role="presentation">
      <div class="card-main" role="option" aria-selected={chosen || among} aria-posinset={place} aria-setsize={of} tabIndex={chosen || entry ? 0 : -1} onClick={(event) => choose(one, event)} onKeyDown={(event) => event.key === "Enter" && choose(one, event)}>
        <span class="thumb">{one.info?.error ? <Icon name="warning" size={24} /> : <img src={`/api/clips/${one.id}/thumbnail.svg`} alt="" loading="lazy" draggable={false} />}</span>
        <Name class="card-name" text={one.name} title={one.file} />
        <span class="card-meta">
          {meta(one)}
          {(one.info?.labels ?? []).slice(0, 2).map((label) => (
            <span key={label}>
              <i class="dot" style={{ background: `var(${labelColour(label)})` }} />
              {label}
            </span>
          ))}
        </span>
        {(twin || layout.value === "list") && <span class="card-folder">{folderOf(one) || server.value?.workspace.name}</span>}
      </div>
      {!chosen && !none.value && !one.info?.error && (
        // for the mouse alone: the panel does it by keys, one stop fewer for each clip
        <button
          type="button"
          class="card-compare"
          title={beside ? `Take ${one.name} away` : `Show ${one.name} beside the chosen clip`}
          aria-hidden="true"
          tabIndex={-1}
          onClick={() => (secondId.value = beside ? null : one.id)}
        >
          <Icon name="columns" />
        </button>
      )}
    </div>
  );
}

function meta(one: Clip): string {
  const info = one.info;
  if (!info) return "…";
  if (info.error) return "cannot be read";
  return `${info.seconds.toFixed(1)} s`;
}

/** An empty workspace: how to begin. */
function Welcome(): JSX.Element {
  const making = jobs.value.find((job) => job.kind === "samples" && (job.state === "running" || job.state === "queued"));
  const writable = server.value?.workspace.writable ?? true;
  return (
    <div class="shelf welcome">
      <Empty title="Begin with some motion" icon="library" text="The built-in performer walks, turns, runs, sneaks, jumps, punches and kicks: enough to draw a path and see somebody walk it.">
        <Button kind="primary" icon="bolt" disabled={Boolean(making) || !writable} onClick={() => void addSamples()}>
          {making ? "Making the built-in clips…" : "Add the 32 built-in clips"}
        </Button>
        {making && <Progress value={making.total ? making.done / making.total : null} label={making.title} />}
        <Button icon="upload" disabled={!writable} onClick={chooseFiles}>
          Choose files…
        </Button>
        <p class="faint">Or drop BVH, ASF with AMC, GLB or NPZ files anywhere on this page.</p>
        {uploading.value > 0 && <Progress value={null} label="Files are read" />}
      </Empty>
    </div>
  );
}
