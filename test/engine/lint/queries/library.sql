SELECT genre, COUNT(*) AS books FROM books GROUP BY genre ORDER BY books DESC, genre;

SELECT b.title, a.name FROM books b JOIN authors a ON a.id = b.author_id ORDER BY a.name, b.title, b.id;

SELECT a.id, a.name, COUNT(b.id) AS books FROM authors a LEFT JOIN books b ON b.author_id = a.id GROUP BY a.id, a.name ORDER BY books DESC, a.id;

SELECT a.name FROM authors a LEFT JOIN books b ON b.author_id = a.id WHERE b.id IS NULL ORDER BY a.name, a.id;

SELECT b.id, b.title, COUNT(c.id) AS copies, SUM(c.status = 'shelf') AS available FROM books b LEFT JOIN copies c ON c.book_id = b.id GROUP BY b.id, b.title ORDER BY b.title, b.id;

SELECT b.id, b.title, COUNT(*) AS loans FROM books b JOIN copies c ON c.book_id = b.id JOIN loans l ON l.copy_id = c.id GROUP BY b.id, b.title ORDER BY loans DESC, b.id LIMIT 10;

SELECT b.id, b.title, COUNT(l.id) AS loans FROM books b LEFT JOIN copies c ON c.book_id = b.id LEFT JOIN loans l ON l.copy_id = c.id GROUP BY b.id, b.title HAVING COUNT(l.id) = 0 ORDER BY b.id;

SELECT m.id, m.name, COUNT(*) AS open_loans FROM members m JOIN loans l ON l.member_id = m.id WHERE l.returned_at IS NULL GROUP BY m.id, m.name ORDER BY open_loans DESC, m.id;

SELECT l.id, m.name, b.title, l.due_on FROM loans l JOIN members m ON m.id = l.member_id JOIN copies c ON c.id = l.copy_id JOIN books b ON b.id = c.book_id WHERE l.returned_at IS NULL AND l.due_on < '2024-05-01' ORDER BY l.due_on, l.id;

SELECT DATE_FORMAT(loaned_at, '%Y-%m') AS month, COUNT(*) AS loans, COUNT(DISTINCT member_id) AS readers FROM loans GROUP BY month ORDER BY month;

SELECT br.name, COUNT(*) AS loans FROM loans l JOIN copies c ON c.id = l.copy_id JOIN branches br ON br.id = c.branch_id WHERE l.loaned_at >= '2024-01-01' GROUP BY br.id, br.name ORDER BY loans DESC, br.name;

SELECT br.name, COUNT(DISTINCT c.book_id) AS titles, COUNT(*) AS copies FROM branches br JOIN copies c ON c.branch_id = br.id GROUP BY br.id, br.name ORDER BY br.name;

SELECT br.name, COUNT(DISTINCT c.id) AS copies, COUNT(l.id) AS loans FROM branches br LEFT JOIN copies c ON c.branch_id = br.id LEFT JOIN loans l ON l.copy_id = c.id GROUP BY br.id, br.name ORDER BY br.name;

SELECT m.id, m.name FROM members m WHERE m.expires_on IS NULL OR m.expires_on >= '2024-06-01' ORDER BY m.name, m.id;

SELECT m.id, m.name FROM members m WHERE NOT EXISTS (SELECT 1 FROM loans l WHERE l.member_id = m.id AND l.loaned_at >= '2023-06-01') ORDER BY m.id;

SELECT id, name FROM members WHERE id NOT IN (SELECT member_id FROM loans WHERE returned_at IS NULL) ORDER BY id;

SELECT id, name FROM branches WHERE id NOT IN (SELECT home_branch_id FROM members WHERE home_branch_id IS NOT NULL) ORDER BY id;

SELECT COALESCE(br.name, 'none') AS branch, COUNT(*) AS members FROM members m LEFT JOIN branches br ON br.id = m.home_branch_id GROUP BY COALESCE(br.name, 'none') ORDER BY members DESC, branch;

SELECT SUM(f.amount) AS fined, SUM(CASE WHEN f.paid_on IS NOT NULL THEN f.amount ELSE 0 END) AS paid, SUM(CASE WHEN f.waived = 1 THEN f.amount ELSE 0 END) AS waived FROM fines f;

SELECT m.id, m.name, SUM(f.amount) AS owed FROM fines f JOIN loans l ON l.id = f.loan_id JOIN members m ON m.id = l.member_id WHERE f.paid_on IS NULL AND f.waived = 0 GROUP BY m.id, m.name ORDER BY owed DESC, m.id;

SELECT s.name, COUNT(*) AS books FROM subjects s JOIN book_subjects bs ON bs.subject_id = s.id GROUP BY s.id, s.name ORDER BY books DESC, s.name;

SELECT b.id, b.title, GROUP_CONCAT(s.name ORDER BY s.name SEPARATOR '; ') AS subjects FROM books b LEFT JOIN book_subjects bs ON bs.book_id = b.id LEFT JOIN subjects s ON s.id = bs.subject_id GROUP BY b.id, b.title ORDER BY b.id;

SELECT b.title FROM books b JOIN book_subjects x ON x.book_id = b.id JOIN book_subjects y ON y.book_id = b.id WHERE x.subject_id = 1 AND y.subject_id = 2 ORDER BY b.title, b.id;

SELECT b.title FROM books b WHERE b.id IN (SELECT book_id FROM book_subjects WHERE subject_id IN (1, 2, 3)) ORDER BY b.title, b.id;

SELECT b.id, COUNT(*) AS matched FROM books b JOIN book_subjects bs ON bs.book_id = b.id WHERE bs.subject_id IN (1, 2, 3) GROUP BY b.id HAVING COUNT(*) = 3 ORDER BY b.id;

SELECT published_year DIV 10 * 10 AS decade, COUNT(*) AS books FROM books GROUP BY decade ORDER BY decade;

SELECT FLOOR(published_year / 100) + 1 AS century, COUNT(*) AS books FROM books GROUP BY century ORDER BY century;

SELECT genre, AVG(pages) AS pages, COUNT(pages) AS known, COUNT(*) AS books FROM books GROUP BY genre ORDER BY genre;

SELECT genre, ROUND(AVG(pages)) AS pages FROM books WHERE pages IS NOT NULL GROUP BY genre ORDER BY pages DESC, genre;

SELECT AVG(loans) AS loans_per_member FROM (SELECT member_id, COUNT(*) AS loans FROM loans GROUP BY member_id) x;

SELECT AVG(copies) AS copies_per_title FROM (SELECT b.id, COUNT(c.id) AS copies FROM books b LEFT JOIN copies c ON c.book_id = b.id GROUP BY b.id) x;

WITH waits AS (SELECT h.book_id, TIMESTAMPDIFF(DAY, h.placed_at, h.fulfilled_at) AS days FROM holds h WHERE h.fulfilled_at IS NOT NULL)
SELECT book_id, AVG(days) AS average, MAX(days) AS longest FROM waits GROUP BY book_id ORDER BY average DESC, book_id;

SELECT book_id, COUNT(*) AS waiting FROM holds WHERE fulfilled_at IS NULL AND cancelled_at IS NULL GROUP BY book_id ORDER BY waiting DESC, book_id LIMIT 20;

SELECT b.id, b.title, h.waiting, c.copies, h.waiting / c.copies AS ratio FROM books b JOIN (SELECT book_id, COUNT(*) AS waiting FROM holds WHERE fulfilled_at IS NULL GROUP BY book_id) h ON h.book_id = b.id JOIN (SELECT book_id, COUNT(*) AS copies FROM copies WHERE status <> 'lost' GROUP BY book_id) c ON c.book_id = b.id ORDER BY ratio DESC, b.id;

SELECT COUNT(*) AS holds, COUNT(fulfilled_at) AS fulfilled, COUNT(cancelled_at) AS cancelled FROM holds;

-- unstable-pages
SELECT DAYNAME(loaned_at) AS weekday, COUNT(*) AS loans FROM loans GROUP BY DAYNAME(loaned_at), WEEKDAY(loaned_at) ORDER BY WEEKDAY(loaned_at);

SELECT HOUR(loaned_at) AS hour, COUNT(*) AS loans FROM loans GROUP BY hour ORDER BY hour;

SELECT YEAR(loaned_at) AS year, QUARTER(loaned_at) AS quarter, COUNT(*) AS loans FROM loans GROUP BY year, quarter ORDER BY year, quarter;

SELECT YEAR(loaned_at) AS year, COUNT(*) AS loans, SUM(renewals) AS renewals, AVG(renewals) AS average FROM loans GROUP BY year ORDER BY year;

SELECT member_id, loaned_at, LEAD(loaned_at) OVER (PARTITION BY member_id ORDER BY loaned_at, id) AS next_loan FROM loans ORDER BY member_id, loaned_at, id;

SELECT member_id, AVG(gap) AS average_gap FROM (SELECT member_id, DATEDIFF(loaned_at, LAG(loaned_at) OVER (PARTITION BY member_id ORDER BY loaned_at, id)) AS gap FROM loans) x WHERE gap IS NOT NULL GROUP BY member_id ORDER BY average_gap, member_id;

SELECT id, copy_id, loaned_at FROM (SELECT id, copy_id, loaned_at, ROW_NUMBER() OVER (PARTITION BY copy_id ORDER BY loaned_at DESC, id DESC) AS n FROM loans) x WHERE n = 1 ORDER BY copy_id;

SELECT c.id, MAX(l.loaned_at) AS latest FROM copies c LEFT JOIN loans l ON l.copy_id = c.id WHERE c.status = 'shelf' GROUP BY c.id ORDER BY latest, c.id;

SELECT c.status, COUNT(*) AS copies FROM copies c WHERE c.acquired_on BETWEEN '2020-01-01' AND '2023-12-31' GROUP BY c.status ORDER BY c.status;

SELECT city, COUNT(*) AS branches FROM branches GROUP BY city HAVING branches > 1 ORDER BY city;

SELECT title, COUNT(*) AS editions FROM books GROUP BY title HAVING COUNT(*) > 1 ORDER BY editions DESC, title;

SELECT a.id AS one, b.id AS other, a.title FROM books a JOIN books b ON a.title = b.title AND a.author_id = b.author_id AND a.id < b.id ORDER BY a.id, b.id;

SELECT x.member_id AS a, y.member_id AS b, COUNT(DISTINCT cx.book_id) AS shared FROM loans x JOIN copies cx ON cx.id = x.copy_id JOIN copies cy ON cy.book_id = cx.book_id JOIN loans y ON y.copy_id = cy.id AND y.member_id > x.member_id GROUP BY a, b ORDER BY shared DESC, a, b LIMIT 50;

SELECT name, 'author' AS role FROM authors UNION ALL SELECT name, 'member' FROM members ORDER BY name, role;

SELECT name FROM authors UNION SELECT name FROM members ORDER BY name;

SELECT city FROM branches UNION SELECT city FROM branches WHERE name LIKE 'North%' ORDER BY city;

SELECT day, SUM(loans) AS loans, SUM(returns) AS returns FROM (SELECT DATE(loaned_at) AS day, COUNT(*) AS loans, 0 AS returns FROM loans GROUP BY DATE(loaned_at) UNION ALL SELECT DATE(returned_at), 0, COUNT(*) FROM loans WHERE returned_at IS NOT NULL GROUP BY DATE(returned_at)) x GROUP BY day ORDER BY day;

WITH per_year AS (SELECT YEAR(joined_on) AS year, COUNT(*) AS members FROM members GROUP BY year)
SELECT year, members, SUM(members) OVER (ORDER BY year) AS total FROM per_year ORDER BY year;

WITH ranked AS (SELECT c.book_id, YEAR(l.loaned_at) AS year, COUNT(*) AS loans, RANK() OVER (PARTITION BY YEAR(l.loaned_at) ORDER BY COUNT(*) DESC) AS place FROM loans l JOIN copies c ON c.id = l.copy_id GROUP BY c.book_id, YEAR(l.loaned_at))
SELECT r.year, r.place, b.title, r.loans FROM ranked r JOIN books b ON b.id = r.book_id WHERE r.place <= 3 ORDER BY r.year, r.place, b.title, b.id;

WITH RECURSIVE months AS (SELECT CAST('2024-01-01' AS DATE) AS month UNION ALL SELECT DATE_ADD(month, INTERVAL 1 MONTH) FROM months WHERE month < '2024-12-01')
SELECT m.month, COUNT(l.id) AS loans FROM months m LEFT JOIN loans l ON l.loaned_at >= m.month AND l.loaned_at < DATE_ADD(m.month, INTERVAL 1 MONTH) GROUP BY m.month ORDER BY m.month;

SELECT m.name, m.email FROM members m WHERE m.email IS NOT NULL AND m.email NOT LIKE '%@example.com' ORDER BY m.name, m.id;

SELECT COUNT(*) AS members, SUM(email IS NULL) AS without_email FROM members;

SELECT id, title FROM books WHERE isbn IS NULL OR isbn = '' ORDER BY id;

SELECT b.id, b.title FROM books b WHERE (b.genre = 'poetry' OR b.genre = 'drama') AND b.published_year < 1900 ORDER BY b.id;

SELECT l.id, DATEDIFF(DATE(l.returned_at), l.due_on) AS late FROM loans l WHERE l.returned_at IS NOT NULL AND DATE(l.returned_at) > l.due_on ORDER BY late DESC, l.id;

SELECT genre, late / loans AS share FROM (SELECT b.genre, COUNT(*) AS loans, SUM(DATE(l.returned_at) > l.due_on) AS late FROM loans l JOIN copies c ON c.id = l.copy_id JOIN books b ON b.id = c.book_id WHERE l.returned_at IS NOT NULL GROUP BY b.genre) x ORDER BY share DESC, genre;

SELECT b.genre, AVG(DATE(l.returned_at) > l.due_on) AS late_share FROM loans l JOIN copies c ON c.id = l.copy_id JOIN books b ON b.id = c.book_id WHERE l.returned_at IS NOT NULL GROUP BY b.genre ORDER BY b.genre;

SELECT a.country, COUNT(DISTINCT a.id) AS authors, COUNT(b.id) AS books FROM authors a JOIN books b ON b.author_id = a.id WHERE a.country IS NOT NULL GROUP BY a.country ORDER BY books DESC, a.country;

SELECT a.name, MIN(b.published_year) AS first_year, MAX(b.published_year) AS last_year FROM authors a JOIN books b ON b.author_id = a.id GROUP BY a.id, a.name ORDER BY a.name, a.id;

SELECT a.name, b.title FROM authors a JOIN books b ON b.author_id = a.id WHERE b.published_year = (SELECT MIN(x.published_year) FROM books x WHERE x.author_id = a.id) ORDER BY a.name, b.title, b.id;

SELECT a.name, (SELECT b.title FROM books b WHERE b.author_id = a.id ORDER BY b.published_year DESC, b.id LIMIT 1) AS newest FROM authors a ORDER BY a.name, a.id;

SELECT m.id, m.name, l.loaned_at FROM members m LEFT JOIN loans l ON l.member_id = m.id AND l.returned_at IS NULL ORDER BY m.id, l.loaned_at, l.id;

SELECT m.id FROM members m LEFT JOIN loans l ON l.member_id = m.id AND l.loaned_at >= '2024-01-01' WHERE l.member_id IS NULL ORDER BY m.id;

SELECT m.id, COUNT(l.id) AS loans FROM members m LEFT JOIN loans l ON l.member_id = m.id WHERE m.joined_on < '2023-01-01' GROUP BY m.id ORDER BY loans DESC, m.id;

SELECT m.id, IF(l.n IS NULL, 0, l.n) AS loans FROM members m LEFT JOIN (SELECT member_id, COUNT(*) AS n FROM loans GROUP BY member_id) l ON l.member_id = m.id WHERE IFNULL(l.n, 0) < 5 ORDER BY m.id;

SELECT br.name, x.n FROM branches br JOIN (SELECT branch_id, COUNT(*) AS n FROM copies GROUP BY branch_id ORDER BY n DESC, branch_id LIMIT 3) x ON x.branch_id = br.id ORDER BY x.n DESC, br.name;

SELECT br.city, COUNT(DISTINCT m.id) AS members, COUNT(DISTINCT br.id) AS branches FROM branches br LEFT JOIN members m ON m.home_branch_id = br.id GROUP BY br.city ORDER BY br.city;

SELECT b.id, b.title, cs.copies, ls.loans FROM books b JOIN (SELECT book_id, COUNT(*) AS copies FROM copies GROUP BY book_id) cs ON cs.book_id = b.id LEFT JOIN (SELECT c.book_id, COUNT(*) AS loans FROM loans l JOIN copies c ON c.id = l.copy_id GROUP BY c.book_id) ls ON ls.book_id = b.id ORDER BY b.id;

SELECT SUM(x.fines) AS fines, COUNT(*) AS loans FROM loans l LEFT JOIN (SELECT loan_id, SUM(amount) AS fines FROM fines GROUP BY loan_id) x ON x.loan_id = l.id WHERE l.loaned_at >= '2024-01-01';

SELECT genre, title, pages FROM (SELECT genre, title, pages, ROW_NUMBER() OVER (PARTITION BY genre ORDER BY pages DESC, id) AS n FROM books) x WHERE n <= 5 ORDER BY genre, n;

SELECT id, title, PERCENT_RANK() OVER (ORDER BY pages) AS place FROM books WHERE pages IS NOT NULL ORDER BY id;

SELECT DISTINCT genre FROM books ORDER BY genre;

SELECT COUNT(DISTINCT genre) AS genres, COUNT(DISTINCT author_id) AS authors FROM books;

SELECT JSON_OBJECT('title', title, 'pages', pages) AS book FROM books ORDER BY id;

SELECT LEFT(title, 1) AS letter, COUNT(*) AS books FROM books GROUP BY letter ORDER BY letter;

SELECT b.title FROM books b WHERE b.pages > ALL (SELECT x.pages FROM books x WHERE x.genre = 'poetry' AND x.pages IS NOT NULL) ORDER BY b.title, b.id;

SELECT l.renewals, COUNT(*) AS loans, COUNT(*) / t.loans AS share FROM loans l CROSS JOIN (SELECT COUNT(*) AS loans FROM loans) t GROUP BY l.renewals, t.loans ORDER BY l.renewals;

SELECT m.id, b.name FROM members m LEFT JOIN branches b ON b.id = m.home_branch_id WHERE b.city <=> 'Bergen' OR b.city IS NULL ORDER BY m.id;

SELECT id, name FROM branches WHERE id NOT IN (SELECT home_branch_id FROM members WHERE home_branch_id > 0) ORDER BY id;

WITH homes AS (SELECT home_branch_id FROM members WHERE home_branch_id IS NOT NULL) SELECT id FROM branches WHERE id NOT IN (SELECT home_branch_id FROM homes) ORDER BY id;

SELECT id FROM branches WHERE id NOT IN (SELECT m.home_branch_id FROM members m JOIN branches b ON b.id = m.home_branch_id) ORDER BY id;

SELECT id FROM branches WHERE id NOT IN (1, 2, 3) ORDER BY id;

SELECT id FROM branches WHERE id NOT IN (SELECT COALESCE(home_branch_id, 0) FROM members) ORDER BY id;

SELECT m.id, COUNT(l.id) AS loans, COUNT(l.returned_at) AS returned FROM members m LEFT JOIN loans l ON l.member_id = m.id GROUP BY m.id ORDER BY m.id;

SELECT m.id, m.name FROM members m LEFT JOIN loans l ON l.member_id = m.id GROUP BY m.id, m.name HAVING COUNT(*) > 10 ORDER BY m.id;

SELECT b.genre, COUNT(*) AS loans, COUNT(DISTINCT l.member_id) AS readers, COUNT(DISTINCT b.id) AS titles FROM loans l JOIN copies c ON c.id = l.copy_id JOIN books b ON b.id = c.book_id GROUP BY b.genre ORDER BY loans DESC, b.genre;

SELECT x.subject_id, y.subject_id AS other, COUNT(*) AS books FROM book_subjects x JOIN book_subjects y ON y.book_id = x.book_id WHERE x.subject_id < y.subject_id GROUP BY x.subject_id, y.subject_id ORDER BY books DESC, x.subject_id, y.subject_id;

SELECT l.id, COUNT(*) AS overlaps FROM loans l JOIN holds h ON h.member_id = l.member_id AND h.placed_at BETWEEN l.loaned_at AND l.returned_at GROUP BY l.id ORDER BY l.id;

SELECT AVG(x.longest) AS average_longest FROM (SELECT member_id, MAX(DATEDIFF(due_on, DATE(loaned_at))) AS longest FROM loans GROUP BY member_id) x;

SELECT SUM(x.pages) / SUM(x.books) AS pages FROM (SELECT genre, SUM(pages) AS pages, COUNT(pages) AS books FROM books GROUP BY genre) x;

SELECT genre, AVG(loans) AS loans FROM (SELECT b.id, b.genre, COUNT(l.id) AS loans FROM books b LEFT JOIN copies c ON c.book_id = b.id LEFT JOIN loans l ON l.copy_id = c.id GROUP BY b.id, b.genre) x GROUP BY genre ORDER BY genre;

SELECT title FROM books WHERE title LIKE 'The %' UNION SELECT title FROM books WHERE title LIKE 'A %' ORDER BY title;

SELECT c.status, b.city, COUNT(*) AS copies FROM copies c JOIN branches b ON b.id = c.branch_id WHERE c.status <> 'lost' GROUP BY c.status, b.city ORDER BY c.status, b.city;

SELECT a.name FROM authors a WHERE a.country NOT IN ('NO', 'SE') AND a.country IS NOT NULL ORDER BY a.name, a.id;

SELECT a.name FROM authors a WHERE (a.country <> 'NO' OR a.country IS NULL) AND a.born_year > 1950 ORDER BY a.name, a.id;

SELECT b.title, COALESCE(NULLIF(b.isbn, ''), 'unknown') AS isbn FROM books b ORDER BY b.id;

SELECT EXTRACT(YEAR FROM loaned_at) AS year, WEEK(loaned_at, 3) AS week, COUNT(*) AS loans FROM loans GROUP BY year, week ORDER BY year, week;

SELECT WEEK(loaned_at, 3) AS week, SUM(YEAR(loaned_at) = 2023) AS before_last, SUM(YEAR(loaned_at) = 2024) AS last FROM loans WHERE loaned_at >= '2023-01-01' GROUP BY week ORDER BY week;

SELECT MONTH(joined_on) AS month, COUNT(*) AS members FROM members GROUP BY month ORDER BY month;

SELECT id, LAST_VALUE(due_on) OVER (PARTITION BY member_id) AS any_due, MAX(due_on) OVER (PARTITION BY member_id) AS last_due FROM loans ORDER BY id;

SELECT id, MAX(loaned_at) OVER (PARTITION BY copy_id ORDER BY loaned_at, id ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING) AS earlier FROM loans ORDER BY id;

SELECT copy_id, member_id FROM (SELECT copy_id, member_id, ROW_NUMBER() OVER (PARTITION BY copy_id ORDER BY COUNT(*) DESC, member_id) AS n FROM loans GROUP BY copy_id, member_id) x WHERE n = 1 ORDER BY copy_id;

SELECT book_id, GROUP_CONCAT(DISTINCT subject_id ORDER BY subject_id DESC SEPARATOR '-') AS subjects FROM book_subjects GROUP BY book_id ORDER BY book_id;

SELECT x.name FROM (SELECT name, id FROM members ORDER BY joined_on, id LIMIT 10) x ORDER BY x.name, x.id;

SELECT COUNT(*) AS n FROM members m JOIN branches b ON b.id = m.home_branch_id AND b.city = 'Oslo';

SELECT d.day, b.name, COALESCE(x.loans, 0) AS loans FROM (SELECT DISTINCT DATE(loaned_at) AS day FROM loans) d CROSS JOIN branches b LEFT JOIN (SELECT DATE(l.loaned_at) AS day, c.branch_id, COUNT(*) AS loans FROM loans l JOIN copies c ON c.id = l.copy_id GROUP BY DATE(l.loaned_at), c.branch_id) x ON x.day = d.day AND x.branch_id = b.id ORDER BY d.day, b.name;

SELECT d.day, b.name, COUNT(c.id) AS acquired FROM (SELECT DISTINCT acquired_on AS day FROM copies) d JOIN branches b LEFT JOIN copies c ON c.branch_id = b.id AND c.acquired_on = d.day GROUP BY d.day, b.id, b.name ORDER BY d.day, b.name;

SELECT COUNT(*) AS books, AVG(b.pages) AS pages FROM books b JOIN book_subjects bs ON bs.book_id = b.id JOIN subjects s ON s.id = bs.subject_id WHERE s.name = 'Poetry';

SELECT l.member_id, COUNT(c.book_id) - COUNT(DISTINCT c.book_id) AS repeated FROM loans l LEFT JOIN copies c ON c.id = l.copy_id GROUP BY l.member_id ORDER BY l.member_id;
