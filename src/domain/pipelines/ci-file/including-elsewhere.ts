import { ciConfigPlace } from '../../shared/ci-config-path.js';
import { jsonOf, type CiMap } from './ci-value.js';

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
