/** The full path of the project or group that is asked: what lies close to it is called by less. */
export type AskedPlace = { readonly project: string } | { readonly group: string };

const namespaceOf = (projectPath: string): string => projectPath.slice(0, projectPath.lastIndexOf('/'));

/** What names something of a project, seen from a place. */
const relativeTo = (place: AskedPlace, projectPath: string, short: string): string => {
  if ('project' in place && place.project === projectPath) return short;
  const within = namespaceOf(projectPath);
  const near = within === ('project' in place ? namespaceOf(place.project) : place.group);
  return near ? `${projectPath.slice(within.length + 1)}${short}` : `${projectPath}${short}`;
};

/**
 * @param short as it is called within its project.
 * @param place without it, the names are needed everywhere: in full.
 */
export const presentReferences = (short: string, projectPath: string, place: AskedPlace | undefined) => {
  const full = `${projectPath}${short}`;
  return { short, relative: place === undefined ? full : relativeTo(place, projectPath, short), full };
};
