import type { ForgetProject } from '../workspace/ports/forget-project.js';
import type { SubjectRepository } from './ports/subject-ports.js';

/** Rows that one step takes. */
const REMOVED_AT_ONCE = 1_000;

/** What people talk about in a project that is being removed. */
export const forgetSubjects: ForgetProject<{ readonly subjects: SubjectRepository }> = async ({ subjects }, id) =>
  (await subjects.removeOfProject(id, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE ? 'more' : 'done';
