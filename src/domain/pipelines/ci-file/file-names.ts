import { ciConfigPlace } from '../../shared/ci-config-path.js';
import { jsonOf, type CiMap } from './ci-value.js';

/** What the CI file of a commit is called where its project doesn't say, and none is there. */
export const USUAL_CI_FILE = '.gitlab-ci.yml';

const USUAL_CI_FILES: readonly string[] = ['.platform-ci.yml', USUAL_CI_FILE];

/**
 * Where the CI file of a commit is looked for in its own repository: the first that is there counts. Nowhere, where its project says that it is
 * in another one.
 */
export const ownCiFiles = (configPath: string | null): readonly string[] => {
  if (configPath === null) return USUAL_CI_FILES;
  const { path, code } = ciConfigPlace(configPath);
  return code === null ? [path] : [];
};

/** Whether the CI file is one of another project. */
export const isElsewhere = (configPath: string): boolean => ciConfigPlace(configPath).code !== null;

/**
 * A CI file that is nothing but the one of another project: whoever reads it needs the right to read that, and it may not be there.
 * @param inputs what that one is given.
 */
export const includingElsewhere = (configPath: string, inputs: CiMap = new Map()): string => {
  const { path: file, code } = ciConfigPlace(configPath);
  const { project, ref } = code ?? { project: '', ref: null };
  const given = inputs.size > 0 && { inputs: jsonOf(inputs) };
  return JSON.stringify({ include: [{ project, file, ...(ref !== null && { ref }), ...given }] });
};
