import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import type { TestService } from './test-service.js';

/** Comments that stand alone, as many as no test sends one by one. @returns their ids. */
export const seedNotes = async (
  { service: { container } }: TestService,
  subjectId: number,
  bodies: readonly string[],
): Promise<readonly number[]> =>
  container.get(TOKENS.unitOfWork).execute(async ({ notes }) => {
    const createdAt = container.get(TOKENS.clock).now();
    const ids: number[] = [];
    for (const body of bodies) {
      const { id } = await notes.add({ subjectId, authorId: null, body, system: false, createdAt });
      ids.push(id);
    }
    return ids;
  });
