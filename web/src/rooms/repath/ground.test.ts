import { describe, expect, it } from "vitest";
import type { Ground } from "../../api/types";
import { FLAT, groundText, numbersOf, withNumber } from "./ground";

const number = (label: string, unit: string, usual: number, optional = false) => ({ label, unit, least: -30, most: 180, step: 0.1, usual, optional });
const slope: Ground = { name: "slope", text: "slope:10%", help: "", numbers: [number("Grade", "%", 10), number("Rises towards", "°", 0, true)] };
const hill: Ground = { name: "hill", text: "hill:0.8,5", help: "", numbers: [number("Height", "m", 0.8), number("Radius", "m", 5)] };
const grounds = [slope, hill];

describe("grounds", () => {
  it("are told as the command line tells them", () => {
    expect(groundText(FLAT, grounds)).toBeNull();
    expect(groundText({ ...FLAT, name: "slope" }, grounds)).toBe("slope:10%");
    expect(groundText(withNumber({ ...FLAT, name: "slope" }, slope, 1, 90), grounds)).toBe("slope:10%,90");
    expect(groundText({ ...FLAT, name: "hill" }, grounds)).toBe("hill:0.8,5");
    expect(groundText(withNumber({ ...FLAT, name: "hill" }, hill, 0, 0.1 + 0.2), grounds)).toBe("hill:0.3,5");
    expect(groundText(withNumber({ ...FLAT, name: "slope" }, slope, 0, 0), grounds)).toBeNull();
  });

  it("are flat where the one that was set is gone", () => {
    expect(groundText({ ...FLAT, name: "hill" }, [slope])).toBeNull();
  });

  it("keep their numbers while another is shown", () => {
    const high = withNumber({ ...FLAT, name: "hill" }, hill, 0, 1.2);
    const steep = withNumber({ ...high, name: "slope" }, slope, 0, 20);
    expect(groundText(steep, grounds)).toBe("slope:20%");
    expect(numbersOf(steep, hill)).toEqual([1.2, 5]);
  });
});
