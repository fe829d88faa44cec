import { describe, expect, it } from "vitest";
import { latest } from "./latest";

/** A server that answers only when told. */
function slow() {
  const asked: { query: number; answer: (value: string) => void; fail: (problem: Error) => void; signal: AbortSignal }[] = [];
  const ask = (query: number, signal: AbortSignal) =>
    new Promise<string>((answer, fail) => asked.push({ query, answer, fail, signal }));
  return { asked, ask };
}

const settle = () => new Promise((done) => setTimeout(done, 0));

describe("latest", () => {
  it("has one request under way and sends the newest next", async () => {
    const { asked, ask } = slow();
    const taken: string[] = [];
    const line = latest(ask, (answer) => taken.push(answer), () => {});
    for (const query of [1, 2, 3, 4]) line.request(query);
    expect(asked.map((each) => each.query)).toEqual([1]);
    asked[0]?.answer("one");
    await settle();
    expect(asked.map((each) => each.query)).toEqual([1, 4]);
    expect(line.busy.value).toBe(true);
    asked[1]?.answer("four");
    await settle();
    expect(taken).toEqual(["one", "four"]);
    expect(line.busy.value).toBe(false);
  });

  it("goes on after a failure", async () => {
    const { asked, ask } = slow();
    const failed: number[] = [];
    const line = latest(ask, () => {}, (_problem, query) => failed.push(query));
    line.request(1);
    line.request(2);
    asked[0]?.fail(new Error("no"));
    await settle();
    expect(failed).toEqual([1]);
    expect(asked.length).toBe(2);
  });

  it("takes nothing that was cancelled", async () => {
    const { asked, ask } = slow();
    const taken: string[] = [];
    const line = latest(ask, (answer) => taken.push(answer), () => taken.push("failed"));
    line.request(1);
    line.request(2);
    line.cancel();
    line.request(3);
    asked[0]?.answer("one");
    await settle();
    asked[1]?.answer("three");
    await settle();
    expect(taken).toEqual(["three"]);
    expect(asked.map((each) => each.query)).toEqual([1, 3]);
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  it("gives a slow request up for a newer one where told", async () => {
    const { asked, ask } = slow();
    const taken: string[] = [];
    const line = latest(ask, (answer) => taken.push(answer), () => {}, { abort: true });
    line.request(1);
    line.request(2);
    asked[1]?.answer("two");
    asked[0]?.answer("one");
    await settle();
    expect(taken).toEqual(["two"]);
    expect(line.busy.value).toBe(false);
  });
});
