-- Run once, when PostgreSQL makes its databases.
CREATE DATABASE synapse;
