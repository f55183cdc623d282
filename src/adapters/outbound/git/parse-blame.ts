import type { BlameHunk } from '../../../application/repositories/ports/object-stores.js';

const HEADER = /^([0-9a-f]{40}) \d+ \d+(?: \d+)?$/;

/** What `blame --porcelain` answers: lines of one commit that follow one another are a hunk. */
export const parseBlame = (text: string): readonly BlameHunk[] => {
  const hunks: { commit: string; lines: string[] }[] = [];
  let commit = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('\t')) {
      const last = hunks.at(-1);
      if (last?.commit === commit) last.lines.push(line.slice(1));
      else hunks.push({ commit, lines: [line.slice(1)] });
    } else commit = HEADER.exec(line)?.[1] ?? commit;
  }
  return hunks;
};
