/** What a write fails with once the installation has left a database. */
export const FENCED = 'storage moved: this database takes no writes';
/** The same as a server's code of an error. */
export const FENCED_STATE = 'GH001';
