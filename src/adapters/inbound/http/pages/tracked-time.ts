import type { TimeReader } from '../../../../application/collaboration/ports/time-ports.js';
import { writeDuration } from '../../../../domain/collaboration/duration.js';

/** How long something will take, and took, in words; null where nobody said. */
export interface ShownTime {
  readonly estimated: string | null;
  readonly spent: string | null;
}

export const readTime = async (
  { timeReader }: { readonly timeReader: TimeReader },
  subjectId: number,
): Promise<ShownTime> => {
  const { estimatedSeconds, spentSeconds } = await timeReader.find(subjectId);
  return { estimated: writeDuration(estimatedSeconds), spent: writeDuration(spentSeconds) };
};
