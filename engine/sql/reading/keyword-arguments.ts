/** Functions with an argument that is a keyword, with its index. The parser also accepts a column or a placeholder there. */
export const KEYWORD_ARGUMENTS: Readonly<Record<string, number>> = { TIMESTAMPDIFF: 0, TIMESTAMPADD: 0, CONVERT: 1 };
