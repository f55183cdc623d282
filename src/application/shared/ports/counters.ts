/** Counters of what the service does, read by operators. Names are given without the `gatehouse_` prefix. */
export interface Counters {
  count(name: CounterName, labels?: Readonly<Record<string, string>>, by?: number): void;
}

export type CounterName =
  | 'tokens_issued_total'
  | 'token_reuses_total'
  | 'alerts_total'
  | 'sign_ins_total'
  | 'expired_rows_removed_total'
  | 'jobs_total'
  | 'mails_queued_total'
  | 'mails_total'
  | 'event_loop_delays_total';
