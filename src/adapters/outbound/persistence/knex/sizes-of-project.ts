import type { ProjectId } from '../../../../domain/shared/identifiers.js';
import type { FileSizes } from '../../../../domain/shared/room-for-files.js';
import type { Session } from './session.js';

/** How much all files of a project are that a table names, by an index alone. */
export const sizesOfProject = async (
  { query }: Session,
  table: 'ci_artifacts' | 'package_files',
  projectId: ProjectId,
): Promise<FileSizes> => {
  const [row] = await query(table).where({ project_id: projectId }).sum({ bytes: 'size' }).count({ files: '*' });
  return { files: Number(row?.['files'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) };
};
