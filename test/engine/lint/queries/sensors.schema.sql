CREATE TABLE sites (id INT NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL, region VARCHAR(30) NOT NULL, latitude DOUBLE);
CREATE TABLE devices (
  id INT NOT NULL PRIMARY KEY, site_id INT NOT NULL, serial VARCHAR(30) NOT NULL UNIQUE, model VARCHAR(30) NOT NULL,
  firmware VARCHAR(20), installed_on DATE NOT NULL, retired_on DATE, status ENUM('online', 'offline', 'faulty') NOT NULL
);
CREATE TABLE sensors (
  id INT NOT NULL PRIMARY KEY, device_id INT NOT NULL, kind VARCHAR(20) NOT NULL, unit VARCHAR(10) NOT NULL,
  min_value DOUBLE, max_value DOUBLE
);
CREATE TABLE readings (
  sensor_id INT NOT NULL, measured_at DATETIME NOT NULL, value DOUBLE, quality INT NOT NULL, PRIMARY KEY (sensor_id, measured_at)
);
CREATE TABLE alerts (
  id BIGINT NOT NULL PRIMARY KEY, sensor_id INT NOT NULL, level ENUM('info', 'warning', 'critical') NOT NULL,
  raised_at DATETIME NOT NULL, cleared_at DATETIME, acknowledged_by VARCHAR(60)
);
CREATE TABLE calibrations (id INT NOT NULL PRIMARY KEY, sensor_id INT NOT NULL, calibrated_on DATE NOT NULL, drift DOUBLE NOT NULL);
CREATE TABLE maintenance (
  id INT NOT NULL PRIMARY KEY, device_id INT NOT NULL, started_at DATETIME NOT NULL, ended_at DATETIME,
  technician VARCHAR(60), cost DECIMAL(10, 2)
);
