/**
 * Window functions by their kind of node. Each list contains the name of the function, then the fields that contain its
 * arguments, in order.
 */
export const WINDOW_FUNCTIONS: Readonly<Record<string, readonly [name: string, ...fields: string[]]>> = {
  row_number: ['ROW_NUMBER'],
  rank: ['RANK'],
  dense_rank: ['DENSE_RANK'],
  percent_rank: ['PERCENT_RANK'],
  cume_dist: ['CUME_DIST'],
  n_tile: ['NTILE', 'num_buckets'],
  lag: ['LAG', 'this', 'offset', 'default'],
  lead: ['LEAD', 'this', 'offset', 'default'],
  first_value: ['FIRST_VALUE', 'this'],
  last_value: ['LAST_VALUE', 'this'],
  nth_value: ['NTH_VALUE', 'this', 'offset'],
};

/** The edges of window frames without a number of rows. */
export const FRAME_EDGES: Readonly<Record<string, string>> = {
  UnboundedPreceding: 'UNBOUNDED PRECEDING',
  UnboundedFollowing: 'UNBOUNDED FOLLOWING',
  CurrentRow: 'CURRENT ROW',
};
