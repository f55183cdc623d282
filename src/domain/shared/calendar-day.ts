const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a real day, `YYYY-MM-DD`: there is no 30 February. */
export const isCalendarDay = (text: string): boolean => {
  if (!DAY.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
};
