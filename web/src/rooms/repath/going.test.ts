import { describe, expect, it } from "vitest";
import type { Clip } from "../../api/types";
import { beginsWith } from "./going";

const clip = (id: string, metres: number | null): Clip => ({ id, info: metres === null ? null : { distance_m: metres } }) as unknown as Clip;

describe("beginsWith", () => {
  it("keeps the chosen clip where it goes anywhere, else takes the first that does", () => {
    const clips = [clip("jump", 0.1), clip("walk", 4), clip("run", 9)];
    expect(beginsWith(clips, "run")).toBe("run");
    expect(beginsWith(clips, "jump")).toBe("walk");
    expect(beginsWith(clips, null)).toBe("walk");
    expect(beginsWith(clips, "deleted")).toBe("walk");
  });

  it("waits as long as nothing is known of the chosen clip, or of any that might go", () => {
    expect(beginsWith([clip("jump", null), clip("walk", 4)], "jump")).toBeUndefined();
    expect(beginsWith([clip("jump", 0.1), clip("walk", null)], "jump")).toBeUndefined();
    expect(beginsWith([clip("walk", null)], null)).toBeUndefined();
  });

  it("takes the chosen one where none goes, for the server to say why", () => {
    expect(beginsWith([clip("jump", 0.1)], "jump")).toBe("jump");
    expect(beginsWith([clip("jump", 0.1)], null)).toBeNull();
    expect(beginsWith([], "deleted")).toBeNull();
  });
});
