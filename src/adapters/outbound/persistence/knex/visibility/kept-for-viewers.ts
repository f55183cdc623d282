import type { Knex } from 'knex';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

type Build = (query: Knex, viewer: Viewer, projects: readonly ProjectId[]) => Knex.QueryBuilder;
type Given = { readonly userId: UserId; readonly today: string; readonly project: ProjectId };

/**
 * Finds what a viewer sees of projects. That of a single one is kept prepared for whoever is signed in: its words are long, and asked for with
 * nearly every project that is shown. Of several it would be kept for each number of them.
 */
export const keptForViewers = <Row>(session: Session, build: Build) => {
  const keptFor = (admin: boolean) =>
    session.keep<Row, Given>(['userId', 'today', 'project'], (query, { userId, today, project }) =>
      build(query, { userId, admin, today }, [project]),
    );
  const [forAdministrators, forOthers] = [keptFor(true), keptFor(false)];
  return async (viewer: Viewer, projects: readonly ProjectId[]): Promise<readonly Row[]> => {
    const { userId, admin, today } = viewer;
    const [project, ...others] = projects;
    if (project === undefined) return [];
    if (userId === null || others.length > 0) return (await build(session.query, viewer, projects)) as Row[];
    return (admin ? forAdministrators : forOthers)({ userId, today, project });
  };
};
