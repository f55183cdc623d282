import type { RefReader } from '../../../../../application/repositories/ports/ref-reader.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { shortName } from './code-addresses.js';

const OFFERED = { page: 1, perPage: 50 };

/** Names of branches to choose from, those with the newest commits first. */
export const branchNames = async (
  { refReader }: { readonly refReader: RefReader },
  id: ProjectId | undefined,
): Promise<readonly string[]> => {
  const repository = id === undefined ? undefined : await refReader.findRepository(id);
  if (repository === undefined) return [];
  const query = { repositoryId: repository.id, kind: 'branch', orderBy: 'updated', sort: 'desc' } as const;
  return (await refReader.list({ ...query, page: OFFERED })).items.map(({ name }) => shortName(name));
};
