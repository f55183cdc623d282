export const LINE_TYPES = ['new', 'old'] as const;
/** Whether a line is counted in the file as it is after a commit, or as it was before. */
export type LineType = (typeof LINE_TYPES)[number];

export interface CommentedLine {
  readonly path: string;
  readonly line: number;
  readonly lineType: LineType;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Whether a patch shows a line. */
export const showsLine = (patch: string, wanted: number, type: LineType): boolean => {
  let [old, now] = [0, 0];
  for (const text of patch.split('\n')) {
    const [whole, oldStart, newStart] = HUNK.exec(text) ?? [];
    if (whole !== undefined) {
      [old, now] = [Number(oldStart), Number(newStart)];
      continue;
    }
    const [inOld, inNew] = [text.startsWith(' ') || text.startsWith('-'), text.startsWith(' ') || text.startsWith('+')];
    if (type === 'old' ? inOld && old === wanted : inNew && now === wanted) return true;
    old += Number(inOld);
    now += Number(inNew);
  }
  return false;
};
