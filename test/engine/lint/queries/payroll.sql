SELECT d.name, COUNT(e.id) AS employees FROM departments d LEFT JOIN employees e ON e.department_id = d.id AND e.left_on IS NULL GROUP BY d.id, d.name ORDER BY employees DESC, d.name;

SELECT e.id, e.name, d.name AS department FROM employees e LEFT JOIN departments d ON d.id = e.department_id ORDER BY e.name, e.id;

SELECT e.id, e.name FROM employees e LEFT JOIN departments d ON d.id = e.department_id WHERE d.id IS NULL ORDER BY e.id;

SELECT e.id, e.name, m.name AS manager FROM employees e LEFT JOIN employees m ON m.id = e.manager_id ORDER BY e.id;

SELECT m.id, m.name, COUNT(*) AS reports FROM employees e JOIN employees m ON m.id = e.manager_id WHERE e.left_on IS NULL GROUP BY m.id, m.name ORDER BY reports DESC, m.id;

SELECT e.id, e.name FROM employees e WHERE NOT EXISTS (SELECT 1 FROM employees r WHERE r.manager_id = e.id) ORDER BY e.id;

SELECT id, name FROM employees WHERE id NOT IN (SELECT manager_id FROM employees WHERE manager_id IS NOT NULL) ORDER BY id;

SELECT e.id, e.name, s.monthly FROM employees e JOIN salaries s ON s.employee_id = e.id WHERE s.valid_to IS NULL AND e.left_on IS NULL ORDER BY s.monthly DESC, e.id;

-- unstable-pages
SELECT e.id, s.monthly FROM employees e JOIN salaries s ON s.employee_id = e.id AND s.valid_from <= '2024-06-01' AND (s.valid_to IS NULL OR s.valid_to >= '2024-06-01') ORDER BY e.id;

SELECT d.name, AVG(s.monthly) AS average, MIN(s.monthly) AS lowest, MAX(s.monthly) AS highest FROM departments d JOIN employees e ON e.department_id = d.id JOIN salaries s ON s.employee_id = e.id WHERE s.valid_to IS NULL GROUP BY d.id, d.name ORDER BY d.name;

SELECT d.name, SUM(s.monthly) AS monthly FROM salaries s JOIN employees e ON e.id = s.employee_id JOIN departments d ON d.id = e.department_id WHERE s.valid_to IS NULL GROUP BY d.id, d.name ORDER BY monthly DESC, d.name;

SELECT period, SUM(gross) AS gross, SUM(net) AS net, SUM(COALESCE(bonus, 0)) AS bonus FROM payslips GROUP BY period ORDER BY period;

SELECT period, COUNT(*) AS payslips, COUNT(bonus) AS with_bonus, AVG(bonus) AS average_bonus FROM payslips GROUP BY period ORDER BY period;

SELECT period, SUM(net) / SUM(gross) AS net_share FROM payslips GROUP BY period ORDER BY period;

SELECT e.country, p.period, SUM(p.gross) AS gross FROM payslips p JOIN employees e ON e.id = p.employee_id GROUP BY e.country, p.period ORDER BY e.country, p.period;

SELECT employee_id, period, gross, gross - LAG(gross) OVER (PARTITION BY employee_id ORDER BY period) AS raise FROM payslips ORDER BY employee_id, period;

SELECT employee_id, period, SUM(gross) OVER (PARTITION BY employee_id, YEAR(period) ORDER BY period) AS year_to_date FROM payslips ORDER BY employee_id, period;

SELECT e.id, e.name, y.gross FROM employees e JOIN (SELECT employee_id, SUM(gross) AS gross FROM payslips WHERE period >= '2023-01-01' AND period < '2024-01-01' GROUP BY employee_id) y ON y.employee_id = e.id ORDER BY y.gross DESC, e.id LIMIT 10;

SELECT e.id, e.name, COALESCE(y.gross, 0) AS gross, COALESCE(t.hours, 0) AS hours FROM employees e LEFT JOIN (SELECT employee_id, SUM(gross) AS gross FROM payslips GROUP BY employee_id) y ON y.employee_id = e.id LEFT JOIN (SELECT employee_id, SUM(hours) AS hours FROM timesheets GROUP BY employee_id) t ON t.employee_id = e.id ORDER BY e.id;

SELECT p.code, SUM(t.hours) AS hours, COUNT(DISTINCT t.employee_id) AS people FROM projects p JOIN timesheets t ON t.project_id = p.id GROUP BY p.id, p.code ORDER BY hours DESC, p.code;

SELECT p.code, p.budget, COALESCE(SUM(t.hours), 0) AS hours FROM projects p LEFT JOIN timesheets t ON t.project_id = p.id GROUP BY p.id, p.code, p.budget ORDER BY p.code;

SELECT p.code, c.name AS client FROM projects p LEFT JOIN clients c ON c.id = p.client_id WHERE p.closed_on IS NULL ORDER BY p.code;

SELECT c.name, COUNT(p.id) AS projects, SUM(p.budget) AS budget FROM clients c LEFT JOIN projects p ON p.client_id = c.id GROUP BY c.id, c.name ORDER BY budget DESC, c.id;

SELECT c.name, COUNT(DISTINCT p.id) AS projects, SUM(t.hours) AS hours FROM clients c JOIN projects p ON p.client_id = c.id JOIN timesheets t ON t.project_id = p.id GROUP BY c.id, c.name ORDER BY hours DESC, c.id;

SELECT employee_id, day, SUM(hours) AS hours FROM timesheets GROUP BY employee_id, day HAVING SUM(hours) > 10 ORDER BY employee_id, day;

SELECT AVG(hours) AS hours_per_day FROM (SELECT employee_id, day, SUM(hours) AS hours FROM timesheets GROUP BY employee_id, day) x;

SELECT employee_id, AVG(hours) AS hours_per_day FROM (SELECT employee_id, day, SUM(hours) AS hours FROM timesheets GROUP BY employee_id, day) x GROUP BY employee_id ORDER BY employee_id;

SELECT YEAR(day) AS year, WEEK(day, 3) AS week, SUM(hours) AS hours FROM timesheets GROUP BY year, week ORDER BY year, week;

SELECT YEARWEEK(day, 3) AS week, SUM(hours) AS hours FROM timesheets GROUP BY YEARWEEK(day, 3) ORDER BY week;

SELECT WEEK(day, 3) AS week, SUM(hours) AS hours FROM timesheets WHERE YEAR(day) = 2024 GROUP BY week ORDER BY week;

SELECT DATE_FORMAT(day, '%Y-%m') AS month, project_id, SUM(hours) AS hours FROM timesheets GROUP BY month, project_id ORDER BY month, project_id;

SELECT WEEKDAY(day) AS weekday, AVG(hours) AS hours FROM timesheets GROUP BY weekday ORDER BY weekday;

SELECT kind, COUNT(*) AS absences, SUM(DATEDIFF(ends_on, starts_on) + 1) AS days FROM absences WHERE starts_on >= '2024-01-01' GROUP BY kind ORDER BY kind;

SELECT e.id, e.name, COALESCE(SUM(DATEDIFF(a.ends_on, a.starts_on) + 1), 0) AS days FROM employees e LEFT JOIN absences a ON a.employee_id = e.id AND a.kind = 'sick' GROUP BY e.id, e.name ORDER BY days DESC, e.id;

SELECT a.id, a.employee_id, b.id AS other FROM absences a JOIN absences b ON b.employee_id = a.employee_id AND b.id > a.id AND b.starts_on <= a.ends_on AND b.ends_on >= a.starts_on ORDER BY a.id, b.id;

SELECT COUNT(*) AS absences, COUNT(approved_by) AS approved, COUNT(*) - COUNT(approved_by) AS pending FROM absences;

SELECT a.approved_by, e.name, COUNT(*) AS approvals FROM absences a JOIN employees e ON e.id = a.approved_by GROUP BY a.approved_by, e.name ORDER BY approvals DESC, a.approved_by;

SELECT YEAR(hired_on) AS year, COUNT(*) AS hired, SUM(left_on IS NOT NULL) AS gone FROM employees GROUP BY year ORDER BY year;

SELECT contract, COUNT(*) AS employees FROM employees WHERE left_on IS NULL GROUP BY contract ORDER BY employees DESC, contract;

SELECT grade, COUNT(*) AS employees, AVG(TIMESTAMPDIFF(YEAR, hired_on, COALESCE(left_on, '2024-06-01'))) AS years FROM employees GROUP BY grade ORDER BY grade;

SELECT e.id, e.name FROM employees e WHERE e.contract <> 'intern' AND e.hired_on < '2020-01-01' ORDER BY e.id;

SELECT e.id FROM employees e WHERE e.contract IN ('permanent', 'temporary') AND e.grade BETWEEN 3 AND 5 ORDER BY e.id;

SELECT e.id FROM employees e WHERE (e.left_on IS NULL OR e.left_on > '2024-12-31') AND e.country = 'NO' ORDER BY e.id;

SELECT e.id, e.name FROM employees e WHERE e.department_id IS NULL OR e.department_id <> 4 ORDER BY e.id;

SELECT e.id, m.id AS manager FROM employees e JOIN employees m ON m.id = e.manager_id WHERE m.department_id <> e.department_id ORDER BY e.id;

SELECT d.name, h.name AS head FROM departments d JOIN employees h ON h.id = d.head_id ORDER BY d.name;

WITH RECURSIVE chain AS (SELECT id, name, manager_id, 0 AS depth FROM employees WHERE manager_id IS NULL UNION ALL SELECT e.id, e.name, e.manager_id, c.depth + 1 FROM employees e JOIN chain c ON e.manager_id = c.id)
SELECT depth, COUNT(*) AS employees FROM chain GROUP BY depth ORDER BY depth;

WITH current_pay AS (SELECT employee_id, monthly FROM salaries WHERE valid_to IS NULL), ranked AS (SELECT e.department_id, e.id, c.monthly, RANK() OVER (PARTITION BY e.department_id ORDER BY c.monthly DESC) AS place FROM employees e JOIN current_pay c ON c.employee_id = e.id)
SELECT d.name, r.id, r.monthly FROM ranked r JOIN departments d ON d.id = r.department_id WHERE r.place <= 3 ORDER BY d.name, r.place, r.id;

WITH pay AS (SELECT e.department_id, s.monthly, AVG(s.monthly) OVER (PARTITION BY e.department_id) AS average FROM employees e JOIN salaries s ON s.employee_id = e.id WHERE s.valid_to IS NULL)
SELECT department_id, SUM(monthly > average) AS above, COUNT(*) AS employees FROM pay GROUP BY department_id ORDER BY department_id;

SELECT employee_id, valid_from, monthly FROM (SELECT employee_id, valid_from, monthly, ROW_NUMBER() OVER (PARTITION BY employee_id ORDER BY valid_from DESC) AS n FROM salaries) x WHERE n = 1 ORDER BY employee_id;

SELECT s.employee_id, s.monthly FROM salaries s WHERE s.valid_from = (SELECT MAX(x.valid_from) FROM salaries x WHERE x.employee_id = s.employee_id) ORDER BY s.employee_id;

-- unstable-pages
SELECT s.employee_id, s.monthly / r.per_eur AS eur FROM salaries s JOIN rates r ON r.currency = s.currency AND r.day = s.valid_from WHERE s.valid_to IS NULL ORDER BY s.employee_id;

SELECT SUM(s.monthly / r.per_eur) AS eur FROM salaries s JOIN rates r ON r.currency = s.currency WHERE s.valid_to IS NULL AND r.day = '2024-06-01';

SELECT s.currency, SUM(s.monthly) AS monthly FROM salaries s WHERE s.valid_to IS NULL GROUP BY s.currency ORDER BY s.currency;

SELECT t.employee_id, t.project_id, SUM(t.hours) AS hours FROM timesheets t JOIN projects p ON p.id = t.project_id WHERE p.closed_on IS NOT NULL AND t.day > p.closed_on GROUP BY t.employee_id, t.project_id ORDER BY t.employee_id, t.project_id;

SELECT p.code, t.hours / x.hours AS share FROM projects p JOIN (SELECT project_id, SUM(hours) AS hours FROM timesheets GROUP BY project_id) t ON t.project_id = p.id CROSS JOIN (SELECT SUM(hours) AS hours FROM timesheets) x ORDER BY share DESC, p.code;

SELECT e.name, p.code, SUM(t.hours) AS hours FROM timesheets t JOIN employees e ON e.id = t.employee_id JOIN projects p ON p.id = t.project_id WHERE t.day BETWEEN '2024-05-01' AND '2024-05-31' GROUP BY e.id, e.name, p.id, p.code ORDER BY e.name, p.code, e.id;

-- unstable-pages
SELECT e.name, SUM(t.hours) AS hours FROM employees e JOIN timesheets t ON t.employee_id = e.id WHERE t.day >= '2024-01-01' GROUP BY e.id, e.name ORDER BY e.name;

SELECT e.id, GROUP_CONCAT(DISTINCT p.code ORDER BY p.code) AS projects FROM employees e JOIN timesheets t ON t.employee_id = e.id JOIN projects p ON p.id = t.project_id GROUP BY e.id ORDER BY e.id;

SELECT note, hours FROM timesheets WHERE note IS NOT NULL AND note <> '' ORDER BY day, employee_id, project_id;

SELECT country, SUM(contract = 'permanent') AS permanent, SUM(contract = 'temporary') AS temporary, SUM(contract = 'intern') AS interns FROM employees GROUP BY country ORDER BY country;

SELECT id, name, CASE contract WHEN 'permanent' THEN 1 WHEN 'temporary' THEN 2 ELSE 3 END AS rank_no FROM employees ORDER BY rank_no, id;

SELECT 'hired' AS event, id, hired_on AS day FROM employees UNION ALL SELECT 'left', id, left_on FROM employees WHERE left_on IS NOT NULL ORDER BY day, event, id;

SELECT month, SUM(n) AS difference FROM (SELECT DATE_FORMAT(hired_on, '%Y-%m') AS month, COUNT(*) AS n FROM employees GROUP BY DATE_FORMAT(hired_on, '%Y-%m') UNION ALL SELECT DATE_FORMAT(left_on, '%Y-%m'), -COUNT(*) FROM employees WHERE left_on IS NOT NULL GROUP BY DATE_FORMAT(left_on, '%Y-%m')) x GROUP BY month ORDER BY month;

SELECT manager_id AS id FROM employees WHERE manager_id IS NOT NULL UNION SELECT head_id FROM departments WHERE head_id IS NOT NULL ORDER BY id;

SELECT country, AVG(pay) AS average_annual_pay FROM (SELECT e.id, e.country, SUM(p.gross) AS pay FROM employees e JOIN payslips p ON p.employee_id = e.id WHERE p.period >= '2023-01-01' AND p.period < '2024-01-01' GROUP BY e.id, e.country) x GROUP BY country ORDER BY country;

SELECT id, name, hired_on, ROW_NUMBER() OVER (ORDER BY hired_on, id) AS seniority FROM employees WHERE left_on IS NULL ORDER BY seniority;

SELECT department_id, MAX(monthly) - MIN(monthly) AS spread FROM (SELECT e.department_id, s.monthly FROM employees e JOIN salaries s ON s.employee_id = e.id WHERE s.valid_to IS NULL AND e.department_id IS NOT NULL) x GROUP BY department_id ORDER BY spread DESC, department_id;

SELECT e.id, e.name, x.hours FROM employees e JOIN (SELECT employee_id, SUM(hours) AS hours FROM timesheets WHERE day >= '2024-01-01' GROUP BY employee_id ORDER BY hours DESC, employee_id LIMIT 5) x ON x.employee_id = e.id ORDER BY x.hours DESC, e.id;

SELECT e.id, e.badge FROM employees e WHERE e.id IN (SELECT t.employee_id FROM timesheets t JOIN projects p ON p.id = t.project_id WHERE p.code = 'APOLLO') AND e.left_on IS NULL ORDER BY e.badge;

SELECT e.id FROM employees e WHERE (SELECT COUNT(*) FROM absences a WHERE a.employee_id = e.id AND a.kind = 'sick') > 3 ORDER BY e.id;

SELECT `e`.`name`, `d`.`name` AS `department` FROM `employees` AS `e` JOIN `departments` AS `d` ON `d`.`id` = `e`.`department_id` WHERE `e`.`left_on` IS NULL ORDER BY `e`.`name`, `e`.`id`;

SELECT employee_id, COUNT(*) AS payslips, SUM(x.net) AS net FROM payslips x JOIN salaries s USING (employee_id) WHERE s.valid_from = '2024-01-01' GROUP BY employee_id ORDER BY employee_id;

SELECT e.id, e.name FROM employees e LEFT JOIN absences a ON a.employee_id = e.id AND a.kind = 'sick' WHERE a.id IS NULL AND e.left_on IS NULL ORDER BY e.id;

SELECT d.name, COUNT(e.id) AS employees, SUM(e.contract = 'intern') AS interns FROM departments d LEFT JOIN employees e ON e.department_id = d.id GROUP BY d.id, d.name ORDER BY d.name;

SELECT COUNT(*) AS employees FROM employees e LEFT JOIN payslips p ON p.employee_id = e.id AND p.period = '2024-05-01' WHERE p.id IS NULL;

SELECT COUNT(*) AS employees, SUM(p.gross) AS gross FROM employees e JOIN payslips p ON p.employee_id = e.id WHERE p.period = '2024-05-01';

SELECT e.country, COUNT(*) AS employees, SUM(s.monthly) AS monthly FROM employees e JOIN salaries s ON s.employee_id = e.id AND s.valid_from = '2024-01-01' GROUP BY e.country ORDER BY e.country;

SELECT p.code, COUNT(*) AS entries, COUNT(DISTINCT t.employee_id) AS employees FROM projects p JOIN timesheets t ON t.project_id = p.id GROUP BY p.id, p.code ORDER BY p.code;

SELECT e.id, e.name FROM employees e WHERE e.department_id NOT IN (4, 5) AND e.department_id IS NOT NULL ORDER BY e.id;

SELECT e.id FROM employees e JOIN departments d ON d.id = e.department_id WHERE e.department_id <> 4 ORDER BY e.id;

SELECT e.id FROM employees e WHERE NOT (e.contract = 'intern' OR e.grade < 3) ORDER BY e.id;

SELECT e.id FROM employees e WHERE NOT (e.manager_id <=> 12) ORDER BY e.id;

SELECT e.id, b.id AS boss FROM employees e LEFT JOIN employees m ON m.id = e.manager_id LEFT JOIN employees b ON b.id = m.manager_id ORDER BY e.id;

SELECT t.day, SUM(t.hours) AS hours FROM timesheets t JOIN employees e ON e.id = t.employee_id WHERE e.contract = 'temporary' AND t.day >= '2024-01-01' GROUP BY t.day ORDER BY t.day;

SELECT u.kind, u.id, u.day FROM (SELECT 'absence' AS kind, id, starts_on AS day FROM absences UNION SELECT 'hire', id, hired_on FROM employees) u ORDER BY u.day, u.kind, u.id;

SELECT employee_id, SUM(days) AS days FROM (SELECT employee_id, id, DATEDIFF(ends_on, starts_on) + 1 AS days FROM absences WHERE kind = 'sick' UNION SELECT employee_id, id, DATEDIFF(ends_on, starts_on) + 1 FROM absences WHERE approved_by IS NULL) x GROUP BY employee_id ORDER BY employee_id;

SELECT AVG(raise) AS average_raise FROM (SELECT employee_id, monthly / LAG(monthly) OVER (PARTITION BY employee_id ORDER BY valid_from) - 1 AS raise FROM salaries) x WHERE raise IS NOT NULL;

SELECT e.id, s.monthly FROM employees e JOIN LATERAL (SELECT x.monthly FROM salaries x WHERE x.employee_id = e.id ORDER BY x.valid_from DESC LIMIT 1) s ON TRUE ORDER BY e.id;

SELECT department_id, id FROM (SELECT department_id, id, ROW_NUMBER() OVER (PARTITION BY department_id ORDER BY hired_on, id) AS n FROM employees WHERE department_id IS NOT NULL) x WHERE x.n <= 3 ORDER BY department_id, x.n;

SELECT e.department_id, GROUP_CONCAT(e.name ORDER BY e.name, e.id SEPARATOR ', ') AS names FROM employees e WHERE e.department_id IS NOT NULL GROUP BY e.department_id ORDER BY e.department_id;

SELECT e.name FROM employees e WHERE e.country IN (SELECT x.country FROM employees x GROUP BY x.country HAVING COUNT(*) > 10) ORDER BY e.name, e.id;

SELECT CASE WHEN left_on IS NULL THEN 'active' ELSE 'left' END AS state, COUNT(*) AS employees FROM employees GROUP BY state ORDER BY state;

SELECT e.country, COUNT(*) AS employees, SUM(e.grade) AS grades FROM employees e JOIN salaries s ON s.employee_id = e.id WHERE s.valid_to IS NULL GROUP BY e.country ORDER BY e.country;

SELECT s.currency, SUM(p.gross) AS gross FROM payslips p JOIN salaries s ON s.employee_id = p.employee_id AND p.period BETWEEN s.valid_from AND s.valid_to GROUP BY s.currency ORDER BY s.currency;

SELECT p.name, COUNT(*) AS employees FROM (SELECT DISTINCT employee_id, project_id FROM timesheets) t JOIN projects p ON p.id = t.project_id JOIN employees e ON e.id = t.employee_id GROUP BY p.name ORDER BY employees DESC, p.name;
