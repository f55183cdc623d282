/**
 * So long what git told is kept, however often it is asked for: what a store no longer has, because nothing led there and it was tidied away, isn't told
 * for ever.
 */
export const KEPT_MS = 600_000;
