import { describe, expect, it } from "vitest";
import type { Ground } from "../../api/types";
import { FLAT, groundText, numbersOf, withNumber } from "./ground";

const number = (label: string, unit: string, usual: number) => ({ label, unit, least: -30, most: 30, step: 0.1, usual });
const slope: Ground = { name: "slope", text: "slope:10%", help: "", numbers: [number("Grade", "%", 10), number("Rises towards", "°", 0)] };
const hill: Ground = { name: "hill", text: "hill:1,6", help: "", numbers: [number("Height", "m", 0.8), number("Radius", "m", 5)] };

describe("a ground", () => {
  it("is told by its name and numbers", () => {
    expect(groundText({ ...FLAT, name: "hill" }, [slope, hill])).toBe("hill:0.8,5");
    expect(groundText({ ...FLAT, name: "slope" }, [slope, hill])).toBe("slope:10%,0");
  });

  it("is flat where none, or one that is gone, is set", () => {
    expect(groundText(FLAT, [slope, hill])).toBeNull();
    expect(groundText({ ...FLAT, name: "hill" }, [slope])).toBeNull();
  });

  it("keeps its numbers while another is shown", () => {
    const high = withNumber({ ...FLAT, name: "hill" }, hill, 0, 0.1 + 0.2);
    expect(groundText(high, [slope, hill])).toBe("hill:0.3,5");
    const steep = withNumber({ ...high, name: "slope" }, slope, 1, 90);
    expect(groundText(steep, [slope, hill])).toBe("slope:10%,90");
    expect(numbersOf(steep, hill)).toEqual([0.1 + 0.2, 5]);
  });
});
