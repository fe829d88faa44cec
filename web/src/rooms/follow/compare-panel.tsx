/** Kept results beside the one of now: shown as ghosts, and compared in figures. */

import { useState } from "preact/hooks";
import { Button, IconButton, Section, TextField } from "../../ui";
import { best, figures, ROWS, told } from "./figures";
import { kept, remove, rename, shown, shownIds, toggle, type Kept } from "./kept";
import { keepNow } from "./result-panel";
import { answer } from "./state";

/** The section of kept results. */
export function ComparePanel() {
  const all = kept.value;
  return (
    <Section
      title="Kept for comparison"
      closed
      aside={
        <Button small kind="quiet" icon="plus" disabled={!answer.value} onClick={keepNow}>
          Keep
        </Button>
      }
    >
      {all.length === 0 ? (
        <p class="follow-hint">Keep a result, change something, and see both at once.</p>
      ) : (
        <ul class="follow-list">
          {all.map((one) => (
            <Entry key={one.id} one={one} />
          ))}
        </ul>
      )}
      {shown.value.length > 0 && <Table />}
    </Section>
  );
}

function Entry({ one }: { one: Kept }) {
  // the new name while one is typed
  const [typed, setTyped] = useState<string | null>(null);
  const accept = () => {
    setTyped(null);
    const name = typed?.trim();
    if (name && name !== one.name) void rename(one.id, name);
  };
  const visible = shownIds.value.includes(one.id);
  return (
    <li>
      <IconButton icon={visible ? "eye" : "eye-off"} label={`Show ${one.name} on the stage`} pressed={visible} onClick={() => toggle(one.id)} />
      <i class="follow-swatch" style={{ background: `var(${one.colour})` }} />
      {typed !== null ? (
        <TextField label="New name" hideLabel value={typed} live onChange={setTyped} onEnter={accept} />
      ) : (
        <span class="follow-name" title={one.title}>
          {one.name}
        </span>
      )}
      {typed !== null ? (
        <IconButton icon="check" label="Take this name" onClick={accept} />
      ) : (
        <IconButton icon="edit" label={`Rename ${one.name}`} onClick={() => setTyped(one.name)} />
      )}
      <IconButton icon="trash" label={`Delete ${one.name}`} onClick={() => void remove(one)} />
    </li>
  );
}

function Table() {
  const columns = [
    ...(answer.value ? [{ key: "now", name: "Now", colour: "--c-walked", of: figures(answer.value.facts.quality) }] : []),
    ...shown.value.slice(0, 4).map((one) => ({ key: one.id, name: one.name, colour: one.colour, of: figures(one.quality) })),
  ];
  return (
    <table class="follow-table">
      <thead>
        <tr>
          <td />
          {columns.map((column) => (
            <th key={column.key} scope="col" title={column.name}>
              <i class="follow-swatch" style={{ background: `var(${column.colour})` }} />
              <span class="follow-unseen">{column.name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ROWS.map((row) => {
          const values = columns.map((column) => row.value(column.of));
          if (values.every((value) => value === null)) return null;
          const least = best(row, values);
          return (
            <tr key={row.name}>
              <th scope="row">
                {row.name}
                {row.unit && <small> {row.unit}</small>}
              </th>
              {values.map((value, index) => (
                <td key={columns[index]!.key} data-best={least !== null && value === least}>
                  {told(value, row.digits)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
