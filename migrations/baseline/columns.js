/** Text that is compared and sorted as the service folded it: by code point on every database. */
export const keyText = (table, name) =>
  table.specificType(name, table.client.dialect === 'postgresql' ? 'text collate "C"' : 'text');

/** The row goes with what it refers to. */
export const reference = (table, name, target) => table.bigInteger(name).references(`${target}.id`).onDelete('cascade');

/** The row stays without what it refers to. */
export const link = (table, name, target) => table.bigInteger(name).references(`${target}.id`).onDelete('set null');

/** The id that a row has in common with its subject. */
export const idOfSubject = (table) => {
  const id = table.client.dialect === 'postgresql' ? table.bigInteger('id') : table.integer('id');
  return id.notNullable().primary().references('subjects.id').onDelete('cascade');
};
