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

// so many cards are made at first, and so many more whenever the end comes near
const PAGE = 120;

function Cards(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const most = useSignal(PAGE);
  const listed = useComputed(() => shown.value.slice(0, most.value));
  // where the chosen clip is not listed, the keyboard comes in by the first
  const entered = useComputed(() => listed.value.some((one) => one.id === clip.value?.id)).value;
  const list = shown.value;
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
    const at = cards.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    if (event.key === "Escape" && pickedIds.value.size) pickedIds.value = new Set();
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) pickedIds.value = new Set(list.map((one) => one.id));
    else {
      const top = (card: HTMLElement): number => card.getBoundingClientRect().top;
      // how many stand in one row
      const across = Math.max(cards.findIndex((card) => top(card) > top(cards[0]!) + 4), 1);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + across, ArrowUp: at - across, Home: 0, End: cards.length - 1 }[event.key];
      if (to === undefined) return;
      const next = Math.min(Math.max(to, 0), cards.length - 1);
      cards[next]?.focus();
      choose(list[next]!, event);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class={classes("cards", layout.value)}
      ref={box}
      role="listbox"
      aria-multiselectable="true"
      aria-label="Clips"
      onKeyDown={keys}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        if (most.value < list.length && scrollTop + clientHeight > scrollHeight - 600) most.value += PAGE;
      }}
    >
      {listed.value.map((one, index) => (
        <Card key={one.id} one={one} entry={index === 0 && !entered} />
      ))}
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

function Card({ one, entry }: { one: Clip; entry: boolean }): JSX.Element {
  // computed for each: of hundreds of cards, only those are drawn anew for which something has changed
  const chosen = useComputed(() => clip.value?.id === one.id).value;
  const among = useComputed(() => pickedIds.value.has(one.id)).value;
  const beside = useComputed(() => second.value?.id === one.id).value;
  const twin = useComputed(() => twins.value.has(one.name)).value;
  const box = useRef<HTMLDivElement>(null);
  // a link, or Back, may lead to one that is out of sight
  useEffect(() => {
    if (chosen) box.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [chosen]);
  return (
    <div ref={box} class={classes("card", chosen && "on", among && "among", beside && "beside")} role="presentation">
      <div class="card-main" role="option" aria-selected={chosen || among} tabIndex={chosen || entry ? 0 : -1} onClick={(event) => choose(one, event)} onKeyDown={(event) => event.key === "Enter" && choose(one, event)}>
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
