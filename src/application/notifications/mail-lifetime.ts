const MONTH_MS = 30 * 86_400_000;

/** After a month nobody wants to hear of it, and what could not be sent until then is let go. */
export const mailExpiry = (at: Date): Date => new Date(at.getTime() + MONTH_MS);
