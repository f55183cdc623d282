/** What the CI file of a commit is called where none is there. */
export const USUAL_CI_FILE = '.gitlab-ci.yml';

/** Where it is looked for: the first that is there counts. */
export const CI_FILES: readonly string[] = ['.platform-ci.yml', USUAL_CI_FILE];
