/** What went wrong, and why, for the log alone: it may name folders of the machine. */
export const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { stack = error.message, cause } = error;
  return cause instanceof Error ? `${stack} ← ${cause.message}` : stack;
};
