/** Files that are dropped on the page: the room that is shown may take them before the library does. */

/** Takes files, and says whether it did. */
export type Taker = (files: File[]) => boolean;

let taker: Taker | null = null;

/** Have files that are dropped; returns what ends it. */
export function takeDrops(take: Taker): () => void {
  taker = take;
  return () => {
    if (taker === take) taker = null;
  };
}

/** Whether somebody has taken them. */
export const taken = (files: File[]): boolean => taker?.(files) ?? false;
