import type { Knex } from 'knex';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { UserId } from '../../../../../domain/shared/identifiers.js';
import { amongIds, onceOf, type Among } from '../kept-queries.js';
import type { Session } from '../session.js';

type Build = (query: Knex, viewer: Viewer, among: Among) => Knex.QueryBuilder;
type Given = { readonly userId: UserId | null; readonly today: string; readonly ids: string };
type Kind = 'administrator' | 'person' | 'stranger';

const kindOf = ({ userId, admin }: Viewer): Kind => {
  if (userId === null) return 'stranger';
  return admin ? 'administrator' : 'person';
};

/**
 * Finds what a viewer sees of things by their ids, whatever their number. The words of such a query are long: building and planning it
 * takes longer than running it, so it is kept prepared for each kind of viewer.
 */
export const keptForViewers = <Row>(build: Build) => {
  const finders = onceOf((session) => {
    const keptFor = (kind: Kind) =>
      session.keep<Row, Given>(['userId', 'today', 'ids'], (query, { userId, today, ids }) => {
        const viewer = {
          userId: kind === 'stranger' ? null : userId,
          admin: kind === 'administrator',
          today,
        };
        return build(query, viewer, amongIds(session, query, ids));
      });
    return { administrator: keptFor('administrator'), person: keptFor('person'), stranger: keptFor('stranger') };
  });
  return async (session: Session, viewer: Viewer, ids: readonly number[]): Promise<readonly Row[]> => {
    if (ids.length === 0) return [];
    const { userId, today } = viewer;
    return finders(session)[kindOf(viewer)]({ userId, today, ids: session.dialect.writeNumbers(ids) });
  };
};
