/** A file of objects, as housekeeping sees it. */
export interface PackFile {
  readonly name: string;
  readonly bytes: number;
  /** Another store has it by a second name, so that here it costs nothing. */
  readonly shared: boolean;
}

/** Below it, one more copy is cheaper than one more file to look into. */
const WORTH_SHARING_BYTES = 16 * 1024 * 1024;

/** Large files that others have too are left as they are: packed anew, they would lie on the disk twice. */
export const staysShared = ({ shared, bytes }: PackFile): boolean => shared && bytes > WORTH_SHARING_BYTES;

/**
 * Which packs are to become one, so that each that is left has at least twice the size of the next smaller one: there are few of them
 * then, and a large one is written again only when as much has come beside it. Empty where that is so already.
 */
export const packsToGather = (packs: readonly PackFile[]): readonly PackFile[] => {
  const rising = packs.filter((pack) => !staysShared(pack)).sort((one, other) => one.bytes - other.bytes);
  let end = rising.length - 1;
  while (end > 0 && rising[end]!.bytes >= 2 * rising[end - 1]!.bytes) end -= 1;
  if (end <= 0) return [];
  let gathered = rising.slice(0, end + 1).reduce((sum, { bytes }) => sum + bytes, 0);
  while (end + 1 < rising.length && rising[end + 1]!.bytes < 2 * gathered) gathered += rising[(end += 1)]!.bytes;
  return rising.slice(0, end + 1);
};
