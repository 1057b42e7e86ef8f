-- repeated-sum
SELECT b.genre, SUM(b.pages) AS pages FROM books b JOIN copies c ON c.book_id = b.id GROUP BY b.genre ORDER BY b.genre;

-- repeated-sum
SELECT br.name, COUNT(c.id) AS copies, COUNT(l.id) AS loans FROM branches br LEFT JOIN copies c ON c.branch_id = br.id LEFT JOIN loans l ON l.copy_id = c.id GROUP BY br.id, br.name ORDER BY br.name;

-- repeated-sum
SELECT a.country, COUNT(*) AS authors FROM authors a JOIN books b ON b.author_id = a.id WHERE a.country IS NOT NULL GROUP BY a.country ORDER BY a.country;

-- repeated-sum
SELECT b.id, COUNT(*) AS n FROM books b JOIN copies c ON c.book_id = b.id JOIN holds h ON h.book_id = b.id GROUP BY b.id ORDER BY b.id;

-- left-join-counted
SELECT m.id, COUNT(*) AS loans FROM members m LEFT JOIN loans l ON l.member_id = m.id AND l.returned_at IS NULL GROUP BY m.id ORDER BY m.id;

-- left-join-filtered
SELECT m.id, l.id AS loan FROM members m LEFT JOIN loans l ON l.member_id = m.id WHERE YEAR(l.loaned_at) = 2024 ORDER BY m.id, l.id;

-- left-join-filtered
SELECT b.id FROM books b LEFT JOIN copies c ON c.book_id = b.id LEFT JOIN branches br ON br.id = c.branch_id WHERE br.city = 'Bergen' ORDER BY b.id, c.id;

-- left-join-filtered
SELECT l.id FROM loans l LEFT JOIN fines f ON f.loan_id = l.id WHERE NOT f.waived ORDER BY l.id, f.id;

-- left-join-filtered
SELECT l.id FROM loans l LEFT JOIN fines f ON f.loan_id = l.id WHERE f.waived ORDER BY l.id, f.id;

-- left-join-filtered
SELECT l.id FROM loans l LEFT JOIN fines f ON f.loan_id = l.id WHERE f.waived IS FALSE ORDER BY l.id, f.id;

-- missing-join-condition
SELECT m.name, b.name AS branch FROM members m, branches b ORDER BY m.id, b.id;

-- missing-join-condition
SELECT COUNT(*) AS n FROM loans l INNER JOIN copies c INNER JOIN books b ON b.id = c.book_id WHERE l.returned_at IS NULL;

-- compared-with-itself
SELECT b.title, a.name FROM books b JOIN authors a ON b.author_id = b.author_id ORDER BY b.id, a.id;

-- not-in-nullable
SELECT id, name FROM branches WHERE id NOT IN (SELECT home_branch_id FROM members) ORDER BY id;

-- null-rows-dropped
SELECT id, title FROM books WHERE isbn <> '978-3-16-148410-0' ORDER BY id;

-- null-rows-dropped
SELECT a.id FROM authors a WHERE `a`.`country` NOT LIKE 'N%' ORDER BY a.id;

-- average-of-averages
SELECT AVG(pages) AS pages FROM (SELECT genre, AVG(pages) AS pages FROM books GROUP BY genre) g;

-- union-drops-rows
SELECT AVG(year) AS year FROM (SELECT published_year AS year FROM books UNION DISTINCT SELECT born_year FROM authors) y;

-- truncated-ratio
SELECT b.genre, SUM(l.renewals) DIV COUNT(*) AS renewals FROM loans l JOIN copies c ON c.id = l.copy_id JOIN books b ON b.id = c.book_id GROUP BY b.genre ORDER BY b.genre;

-- doubtful-date-format
SELECT id, DATE_FORMAT(loaned_at, '%Y-%m-%d %I:%i') AS at FROM loans ORDER BY id;

-- doubtful-date-format
SELECT DATE_FORMAT(loaned_at, '%Y-%v') AS week, COUNT(*) AS loans FROM loans GROUP BY week ORDER BY week;

-- week-without-year
SELECT WEEKOFYEAR(loaned_at) AS week, COUNT(*) AS loans FROM loans GROUP BY week ORDER BY week;

-- limit-without-order
WITH sample AS (SELECT copy_id, member_id FROM loans LIMIT 500) SELECT member_id, COUNT(*) AS loans FROM sample GROUP BY member_id ORDER BY member_id;

-- unordered-list
SELECT book_id, GROUP_CONCAT(DISTINCT subject_id) AS subjects FROM book_subjects GROUP BY book_id ORDER BY book_id;

-- last-value-frame
SELECT id, LAST_VALUE(loaned_at) OVER w AS latest FROM loans WINDOW w AS (PARTITION BY copy_id ORDER BY loaned_at, id) ORDER BY id;

-- unstable-row-number
WITH ranked AS (SELECT id, genre, title, ROW_NUMBER() OVER (PARTITION BY genre ORDER BY pages DESC) AS place FROM books) SELECT genre, title FROM ranked WHERE place <= 5 ORDER BY genre, place;

-- unknown-enum-value
SELECT branch_id, COUNT(*) AS lost FROM copies WHERE status = 'missing' GROUP BY branch_id ORDER BY branch_id;

-- outer-column-in-subquery
SELECT id, name FROM members WHERE id IN (SELECT home_branch_id FROM loans) ORDER BY id;

-- repeated-sum
SELECT COUNT(*) AS members FROM books b JOIN copies c ON c.book_id = b.id JOIN holds h ON h.book_id = b.id JOIN members m ON m.id = h.member_id WHERE b.title = 'Hunger' AND c.id = 7;
