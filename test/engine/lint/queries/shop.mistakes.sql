-- repeated-sum
SELECT o.channel, SUM(o.total) AS revenue FROM orders o JOIN order_items i ON i.order_id = o.id GROUP BY o.channel ORDER BY o.channel;

-- repeated-sum
SELECT SUM(o.total) AS revenue FROM orders AS o INNER JOIN payments y ON o.id = y.order_id WHERE y.paid_at IS NOT NULL;

-- repeated-sum
SELECT o.id, SUM(i.quantity) AS pieces, SUM(y.amount) AS paid FROM orders o JOIN order_items i ON i.order_id = o.id LEFT JOIN payments y ON y.order_id = o.id GROUP BY o.id ORDER BY o.id;

-- repeated-sum
WITH items AS (SELECT order_id, product_id, quantity FROM order_items) SELECT SUM(o.total) AS revenue FROM orders o JOIN items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id WHERE p.status = 'active';

-- repeated-sum
SELECT `o`.`channel`, AVG(`o`.`total`) AS `average` FROM `orders` `o` JOIN `refunds` `r` ON `r`.`order_id` = `o`.`id` GROUP BY `o`.`channel` ORDER BY `o`.`channel`;

-- repeated-sum
SELECT c.country, COUNT(*) AS customers FROM customers c JOIN orders o ON o.customer_id = c.id WHERE c.country IS NOT NULL GROUP BY c.country ORDER BY customers DESC, c.country;

-- repeated-sum
SELECT o.status, COUNT(*) AS order_count FROM orders o JOIN order_items i ON i.order_id = o.id GROUP BY o.status ORDER BY o.status;

-- repeated-sum
SELECT o.id, COUNT(*) AS n FROM orders o JOIN order_items i ON i.order_id = o.id JOIN payments y ON y.order_id = o.id GROUP BY o.id ORDER BY o.id;

-- repeated-sum
SELECT p.id, COUNT(1) AS n FROM products p, order_items i, reviews r WHERE i.product_id = p.id AND r.product_id = p.id GROUP BY p.id ORDER BY p.id;

-- left-join-counted
SELECT c.id, c.name, COUNT(*) AS orders FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY orders DESC, c.id;

-- left-join-counted
SELECT p.sku, COUNT(1) AS reviews FROM products p LEFT OUTER JOIN reviews r ON r.product_id = p.id AND r.rating >= 4 GROUP BY p.sku ORDER BY p.sku;

-- left-join-counted
SELECT x.id, x.n FROM (SELECT g.id, COUNT(*) AS n FROM categories g LEFT JOIN products p ON p.category_id = g.id GROUP BY g.id) x ORDER BY x.n DESC, x.id;

-- left-join-filtered
SELECT c.id, o.id AS order_id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.status IN ('paid', 'shipped') ORDER BY c.id, o.id;

-- left-join-filtered
SELECT c.id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE NOT (o.status = 'cancelled') ORDER BY c.id, o.id;

-- left-join-filtered
SELECT o.id FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE k.percent BETWEEN 10 AND 20 ORDER BY o.id;

-- left-join-filtered
SELECT o.id FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE (k.percent > 20) IS TRUE ORDER BY o.id;

-- left-join-filtered
SELECT o.id FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE (k.percent > 20) IS FALSE ORDER BY o.id;

-- left-join-filtered
SELECT o.id FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE LOWER(k.code) LIKE 'summer%' ORDER BY o.id;

-- left-join-filtered
SELECT o.id FROM orders o LEFT JOIN refunds r ON r.order_id = o.id WHERE DATE(r.refunded_at) >= '2024-01-01' ORDER BY o.id, r.id;

-- left-join-filtered
SELECT o.id FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE (k.code = 'TEN' OR k.code = 'TWENTY') ORDER BY o.id;

-- left-join-filtered
SELECT o.id FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE k.code NOT LIKE 'TEST%' ORDER BY o.id;

-- left-join-filtered
WITH paid AS (SELECT order_id, SUM(amount) AS amount FROM payments GROUP BY order_id) SELECT o.id FROM orders o LEFT JOIN paid p ON p.order_id = o.id WHERE o.total - p.amount > 0 ORDER BY o.id;

-- missing-join-condition
SELECT o.id, c.name FROM orders o, customers c WHERE o.status = 'open' ORDER BY o.id, c.id;

-- missing-join-condition
SELECT COUNT(*) AS n FROM orders o JOIN customers c WHERE c.country = 'NO' AND o.total > 100;

-- missing-join-condition
SELECT o.id FROM customers c JOIN orders o ON o.customer_id = c.id, refunds r WHERE r.amount > 10 ORDER BY o.id, r.id;

-- missing-join-condition
SELECT p.sku, w.name FROM products p JOIN stock s ON s.product_id = p.id JOIN warehouses w ON w.city = 'Oslo' ORDER BY p.sku, s.warehouse_id, w.name;

-- compared-with-itself
SELECT o.id, SUM(i.quantity) AS pieces FROM orders o JOIN order_items i ON i.order_id = i.order_id GROUP BY o.id ORDER BY o.id;

-- compared-with-itself
SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = r.order_id) ORDER BY o.id;

-- compared-with-itself
SELECT o.id FROM orders o WHERE (SELECT SUM(amount) FROM payments WHERE order_id = payments.order_id) < o.total ORDER BY o.id;

-- compared-with-itself
SELECT i.order_id FROM order_items i JOIN products p ON p.id = i.product_id AND `p`.`price` <> p.price ORDER BY i.order_id, i.line_no;

-- not-in-nullable
SELECT id FROM coupons WHERE id NOT IN (SELECT coupon_id FROM orders) ORDER BY id;

-- not-in-nullable
SELECT id, name FROM customers WHERE id NOT IN (SELECT r.customer_id FROM reviews AS r WHERE r.rating = 5) ORDER BY id;

-- not-in-nullable
WITH reviewers AS (SELECT DISTINCT customer_id FROM reviews) SELECT id FROM customers WHERE NOT (id IN (SELECT customer_id FROM reviewers)) ORDER BY id;

-- not-in-nullable
SELECT id FROM customers c WHERE c.id <> ALL (SELECT `referrer_id` FROM `customers`) ORDER BY id;

-- null-rows-dropped
SELECT id FROM customers WHERE country <> 'DE' ORDER BY id;

-- null-rows-dropped
SELECT COUNT(*) AS others FROM refunds r WHERE r.reason != 'damaged' AND r.amount > 10;

-- null-rows-dropped
SELECT COUNT(*) AS n FROM customers c JOIN orders o ON o.customer_id = c.id WHERE c.country NOT IN ('DE', 'AT', 'CH');

-- null-rows-dropped
SELECT id FROM refunds WHERE NOT (reason = 'lost') ORDER BY id;

-- null-rows-dropped
SELECT COUNT(*) AS n FROM (SELECT id, `reason` FROM `refunds`) x WHERE x.reason <> 'lost';

-- average-of-averages
SELECT AVG(x.rating) AS rating FROM (SELECT product_id, AVG(rating) AS rating FROM reviews GROUP BY product_id) x;

-- average-of-averages
WITH shares AS (SELECT channel, SUM(status = 'returned') / COUNT(*) AS returned FROM orders GROUP BY channel) SELECT AVG(returned) AS returned FROM shares;

-- union-drops-rows
SELECT SUM(amount) AS moved FROM (SELECT amount FROM payments UNION SELECT amount FROM refunds) x;

-- union-drops-rows
WITH moves AS (SELECT order_id, amount FROM payments UNION SELECT order_id, -amount FROM refunds) SELECT order_id, SUM(amount) AS net FROM moves GROUP BY order_id ORDER BY order_id;

-- truncated-ratio
SELECT channel, 100 * SUM(status = 'returned') DIV COUNT(*) AS percent FROM orders GROUP BY channel ORDER BY channel;

-- truncated-ratio
SELECT p.sku, SUM(i.quantity * i.unit_price) DIV SUM(i.quantity) AS price FROM products p JOIN order_items i ON i.product_id = p.id GROUP BY p.id, p.sku ORDER BY p.sku;

-- doubtful-date-format
SELECT DATE_FORMAT(placed_at, '%Y-%m-%d %h:00') AS hour, COUNT(*) AS orders FROM orders GROUP BY hour ORDER BY hour;

-- doubtful-date-format
SELECT id, DATE_FORMAT(placed_at, '%d.%m.%Y %H:%m') AS placed FROM orders ORDER BY id;

-- doubtful-date-format
SELECT id, DATE_FORMAT(o.placed_at, "%H:%M") AS placed FROM orders AS o ORDER BY id;

-- week-without-year
SELECT WEEK(placed_at, 3) AS week, SUM(total) AS revenue FROM orders GROUP BY WEEK(placed_at, 3) ORDER BY week;

-- limit-without-order
SELECT x.channel, COUNT(*) AS orders FROM (SELECT channel FROM orders WHERE total > 100 LIMIT 1000) x GROUP BY x.channel ORDER BY x.channel;

-- limit-without-order
SELECT c.id, (SELECT o.total FROM orders o WHERE o.customer_id = c.id LIMIT 1) AS latest FROM customers c ORDER BY c.id;

-- unordered-list
SELECT i.order_id, GROUP_CONCAT(p.name SEPARATOR ', ') AS products FROM order_items i JOIN products p ON p.id = i.product_id GROUP BY i.order_id ORDER BY i.order_id;

-- last-value-frame
SELECT id, LAST_VALUE(total) OVER (PARTITION BY customer_id ORDER BY placed_at, id) AS latest FROM orders ORDER BY id;

-- unstable-row-number
SELECT customer_id, id FROM (SELECT customer_id, id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC) AS n FROM orders) x WHERE n = 1 ORDER BY customer_id, id;

-- unknown-enum-value
SELECT COUNT(*) AS n FROM orders WHERE status = 'canceled';

-- unknown-enum-value
SELECT COUNT(*) AS n FROM orders o WHERE o.status IN ('paid', 'delivered', 'shipped');

-- unknown-enum-value
SELECT channel, SUM(CASE WHEN status = 'refunded' THEN 1 ELSE 0 END) AS refunded FROM orders GROUP BY channel ORDER BY channel;

-- unknown-enum-value
SELECT id, CASE segment WHEN 'private' THEN 1 WHEN 'bussiness' THEN 2 END AS kind FROM customers ORDER BY id;

-- unknown-enum-value
WITH live AS (SELECT id, status FROM products) SELECT COUNT(*) AS n FROM live l WHERE l.status <> 'archived';

-- outer-column-in-subquery
SELECT id FROM orders WHERE id IN (SELECT coupon_id FROM coupons) ORDER BY id;

-- outer-column-in-subquery
SELECT o.id FROM orders o WHERE o.customer_id IN (SELECT customer_id FROM customers WHERE country = 'NO') ORDER BY o.id;

-- compared-with-null
SELECT id FROM orders WHERE coupon_id NOT IN (1, 2, NULL) ORDER BY id;

-- compared-with-null
SELECT id FROM orders o WHERE NOT (o.channel IN ('test', NULL)) ORDER BY id;

-- repeated-sum
SELECT c.segment, SUM(o.total) AS total FROM customers c JOIN (orders o JOIN order_items i ON i.order_id = o.id) ON o.customer_id = c.id GROUP BY c.segment ORDER BY c.segment;

-- union-drops-rows
SELECT day, SUM(n) AS n FROM (SELECT DATE(placed_at) AS day, COUNT(*) AS n FROM orders GROUP BY DATE(placed_at) UNION SELECT DATE(refunded_at), COUNT(*) FROM refunds GROUP BY DATE(refunded_at)) x GROUP BY day ORDER BY day;

-- average-of-averages
SELECT AVG(x.revenue / x.orders) AS value FROM (SELECT channel, SUM(total) AS revenue, COUNT(*) AS orders FROM orders GROUP BY channel) x;

-- left-join-filtered
SELECT o.id FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE !(k.percent > 20) ORDER BY o.id;

-- left-join-filtered
SELECT o.id FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE k.percent + 5 > 20 AND o.total > 10 ORDER BY o.id;

-- unstable-row-number
SELECT t.customer_id, t.id FROM (SELECT o.customer_id, o.id, ROW_NUMBER() OVER w AS n FROM orders o WINDOW w AS (PARTITION BY o.customer_id ORDER BY o.total DESC)) t WHERE t.n <= 2 ORDER BY t.customer_id, t.id;

-- doubtful-date-format
SELECT id, DATE_FORMAT(placed_at, '%Y-%i-%d') AS day FROM orders ORDER BY id;
