/** What to write instead of functions that authors know from other databases. The parser reads COUNTIF as COUNT_IF, and LISTAGG as LIST_AGG. */
export const FOREIGN_FUNCTIONS: Readonly<Record<string, string>> = {
  ARRAY_AGG: 'Write GROUP_CONCAT or JSON_ARRAYAGG.',
  COUNT_IF: 'Write COUNT(CASE WHEN … THEN 1 END).',
  DATEADD: 'Write DATE_ADD(x, INTERVAL 1 DAY).',
  DATE_PART: 'Write EXTRACT(YEAR FROM x).',
  DATE_TRUNC: "Write DATE(x) for days, or DATE_FORMAT(x, '%Y-%m-01') for months.",
  LIST_AGG: 'Write GROUP_CONCAT(x SEPARATOR …).',
  MEDIAN: 'Write a window function with ROW_NUMBER().',
  NVL: 'Write IFNULL.',
  STRFTIME: 'Write DATE_FORMAT.',
  STRING_AGG: 'Write GROUP_CONCAT(x SEPARATOR …).',
  TO_CHAR: 'Write DATE_FORMAT or FORMAT.',
  TO_DATE: 'Write STR_TO_DATE.',
};
