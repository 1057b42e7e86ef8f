/** Functions with an argument that is a keyword and not a value, and its index. The parser accepts a column or a marker there. */
export const KEYWORD_ARGUMENTS: Readonly<Record<string, number>> = { TIMESTAMPDIFF: 0, TIMESTAMPADD: 0, CONVERT: 1 };
