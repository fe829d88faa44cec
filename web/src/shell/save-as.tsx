/** Saving under a name. */
import { useState } from "preact/hooks";
import type { Saved } from "../state/owned";
import { Button, Notice, TextField } from "../ui";

interface Props {
  /** what the name is of */
  label: string;
  usual?: string;
  disabled?: boolean;
  save(name: string, replace: boolean): Promise<Saved>;
  done(): void;
}

/** A name and a button; where the name is that of somebody else's work, it asks. */
export function SaveAs({ label, usual = "", disabled, save, done }: Props) {
  const [name, setName] = useState(usual);
  const [asks, setAsks] = useState<string | null>(null);
  const usable = !disabled && name.trim() !== "";
  const go = async (replace = false): Promise<void> => {
    if (!usable) return;
    const saved = await save(name.trim(), replace);
    setAsks(typeof saved === "string" ? saved : null);
    if (saved === true) done();
  };
  return (
    <>
      <div class="save-as">
        <TextField
          label={label}
          hideLabel
          placeholder={label}
          value={name}
          live
          disabled={disabled}
          onChange={(next) => {
            setName(next);
            setAsks(null);
          }}
          onEnter={() => void go()}
        />
        <Button kind="primary" disabled={!usable} onClick={() => void go()}>
          Save
        </Button>
      </div>
      {asks && (
        <Notice kind="warn">
          <p>{asks}</p>
          <Button small onClick={() => void go(true)}>
            Replace it
          </Button>
        </Notice>
      )}
    </>
  );
}
