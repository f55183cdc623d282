import type { Session } from '../session.js';

/** The ids of the projects whose mirrors are updated: those neither archived nor about to be removed. */
export const activeProjects = ({ query }: Session) =>
  query('projects').where({ archived: false }).whereNull('removal_requested_at').select('id');
