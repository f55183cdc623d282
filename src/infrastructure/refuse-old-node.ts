/** The oldest that better-sqlite3 and the caching of compiled modules run on. */
const OLDEST = [22, 13] as const;

/** Ends the process with a sentence where its Node is too old: later it would end with a stack trace, or crash. */
export const refuseOldNode = (version = process.versions.node): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  process.stderr.write(`gatehouse: Node ${OLDEST.join('.')} or newer is needed, and this is Node ${version}.\n`);
  process.exit(1);
};
