/** Returns the quotient with `decimals` decimal places, rounded half away from zero like DECIMAL. */
export function formatDecimal(dividend: bigint, divisor: bigint, decimals: number): string {
  const isNegative = dividend < 0n !== divisor < 0n && dividend !== 0n;
  const [a, b] = [abs(dividend) * 10n ** BigInt(decimals), abs(divisor)];
  const rounded = (2n * a + b) / (2n * b);
  const digits = String(rounded).padStart(decimals + 1, '0');
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return isNegative && rounded !== 0n ? `-${text}` : text;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
